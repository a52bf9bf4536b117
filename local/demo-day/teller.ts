import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createClient, type Client } from '../../client/client.ts';
import { programFile } from '../node-process.ts';
import type { Ready } from '../ready-file.ts';

/** A request of the demo, as it goes out. */
interface Sent {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body?: string;
  /** The fields of a page's form. */
  form?: Readonly<Record<string, string>>;
}

/** What the commands need of this start: its addresses and tokens, as variables of a shell. */
const variablesOf = (ready: Ready): [name: string, value: string][] => [
  ['API', ready.api],
  ['SITE', new URL(ready.api).origin],
  ['GATEWAY', ready.gateway],
  ['REGISTER_TOKEN', ready.registerToken],
  ['ADMIN_TOKEN', ready.adminToken],
];

/** A line a variable, to be pasted before the commands. */
export const shellVariables = (ready: Ready): string =>
  variablesOf(ready)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join('\n');

/** The request as a command of a shell. What differs between two starts stands as a variable. */
export function curlCommand({ method, url, headers, body, form = {} }: Sent, ready: Ready): string {
  const isForm = Object.keys(form).length > 0;
  return [
    `curl -gsS -w '\\n'${method === 'GET' || isForm ? '' : ` -X ${method}`} ${withVariables(url, ready)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${withVariables(`${name}: ${value}`, ready)}`),
    ...(body === undefined ? [] : [`--data ${quoted(body)}`]),
    ...Object.entries(form).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ].join(' \\\n  ');
}

/** For a shell, in double quotes where a variable stands in it. */
function withVariables(text: string, ready: Ready): string {
  const [found] = variablesOf(ready).filter(([, value]) => text.includes(value));
  if (found === undefined) return quoted(text);
  const [name, value] = found;
  return `"${text
    .split(value)
    .map((part) => part.replaceAll(/["\\$`]/g, String.raw`\$&`))
    .join(`$${name}`)}"`;
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A register's request, and the expected answer. */
export interface Ask {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  /** The token used; default: the register's. */
  as?: 'register' | 'admin';
  /** The token of a signed-in customer or colleague. */
  token?: string;
  headers?: Record<string, string>;
  /** Called with the answer's headers. */
  seesHeaders?: (headers: Headers) => void;
  /** The expected status at this point of the day. */
  expect?: number;
  /** One line on what the answer means. */
  means: (body: Json) => string;
}

/** A visit of a web page in a browser. */
export interface Visit {
  /** Outside the interface, such as `/receipt/…`. */
  path: string;
  /** Absent: the page is only read. */
  form?: Record<string, string>;
  /** Any of these statuses is right; default: 200. */
  expect?: readonly number[];
  means: (page: Visited) => string;
}

export interface Visited {
  status: number;
  headers: Headers;
  text: string;
}

/** Any server's answer: the demo reads it as a register app would. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

/** Stops the demo with a failing exit code. */
export class DayWentWrong extends Error {
  override name = 'DayWentWrong';
}

/** One line on what an answer means. */
export type Meaning = (body: Json) => string;

/** What an answer to the client means: its request as `POST /V1/orders?…`, its status, its body. */
export type MeaningOf = (request: string, status: number, body: Json) => string;

/** Prints each request, its answer and one line of meaning; stops the day when an answer is not the expected one. */
export class Teller {
  readonly ready: Ready;
  readonly #say: (line: string) => void;
  readonly #command: (line: string) => void;
  readonly #asCurl: boolean;
  readonly #meaningOf: MeaningOf;
  /** The register's client (`client/`): what it sends is told like every other request. */
  readonly client: Client;
  #steps = 0;

  /** `asCurl`: prints a shell script, each request as a command and all else as comments. */
  constructor(
    ready: Ready,
    say: (line: string) => void,
    { asCurl = false, meaningOf }: { asCurl?: boolean; meaningOf: MeaningOf },
  ) {
    this.#meaningOf = meaningOf;
    this.ready = ready;
    this.#asCurl = asCurl;
    this.#command = say;
    this.client = createClient({
      url: ready.api,
      token: ready.registerToken,
      fetch: (...sent) => this.#fetch(...sent),
    });
    this.#say = (text) => say(asCurl ? text.replaceAll(/^(?=.)/gm, '# ') : text);
    if (asCurl) say(shellVariables(ready));
  }

  chapter(title: string): void {
    this.#say(`\n── ${title} ${'─'.repeat(Math.max(3, 74 - title.length))}`);
  }

  /** Prints text unchanged, such as a command and its output. */
  print(text: string): void {
    this.#say(text);
  }

  say(line: string): void {
    this.#say(`     ${line}`);
  }

  /** A request to the service. */
  async ask({
    method,
    path,
    body,
    as = 'register',
    token: own,
    headers,
    seesHeaders,
    expect = 200,
    means,
  }: Ask): Promise<Json> {
    const token = own ?? (as === 'admin' ? this.ready.adminToken : this.ready.registerToken);
    const sent = withBody(body, {
      method,
      url: `${this.ready.api}${path}`,
      headers: { authorization: `Bearer ${token}`, ...this.#keyOf(method), ...headers },
    });
    const answer = await send(sent);
    seesHeaders?.(answer.headers);
    const request = `${method} ${decodeURIComponent(path)}`;
    this.#tell({ request, sent, status: answer.status, means: () => means(answer.body) });
    this.must(answer.status === expect, `Expected ${expect}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async #fetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(input, init);
    const url = input instanceof Request ? input.url : input.toString();
    const { method = 'GET', headers, body } = init ?? {};
    const { accept: _any, ...shown } = Object.fromEntries(new Headers(headers));
    const text = await response.clone().text();
    const request = `${method} ${decodeURIComponent(url.slice(this.ready.api.length))}`;
    const sent = { method, url, headers: shown, ...(typeof body === 'string' ? { body } : {}) };
    const { status } = response;
    this.#tell({ request, sent, status, means: () => this.#meaningOf(request, status, parse(text)) });
    return response;
  }

  /** A request to the gateway simulator, which stands for the card terminal and the processor's own books. */
  async askGateway({ method, path, body, means }: Pick<Ask, 'method' | 'path' | 'body' | 'means'>): Promise<Json> {
    const sent = withBody(body, { method, url: `${this.ready.gateway}${path}`, headers: {} });
    const answer = await send(sent);
    this.#tell({ request: `gateway ${method} ${path}`, sent, status: answer.status, means: () => means(answer.body) });
    this.must(answer.status < 300, `The simulator answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /**
   * Reads a page as a browser without scripts does. Its address is the visitor's secret, so only a part of it is
   * printed, but in a command.
   */
  async visit({ path, form, expect = [200], means }: Visit): Promise<Visited> {
    const url = new URL(path, this.ready.api).href;
    const method = form ? 'POST' : 'GET';
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(60_000),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    const { status, headers } = response;
    const page = { status, headers, text: Buffer.from(await response.arrayBuffer()).toString('latin1') };
    const shown = path.replace(/(?<=[\da-f]{8})[\da-f]{56}/, '…');
    const sent = { method, url, headers: {}, ...(form === undefined ? {} : { form }) };
    this.#tell({ request: `${method} ${shown}`, sent, status, means: () => means(page) });
    this.must(expect.includes(status), `Expected ${expect.join(' or ')}, got ${status}.`);
    return page;
  }

  must(holds: boolean, otherwise: string): void {
    if (!holds) throw new DayWentWrong(otherwise);
  }

  get steps(): number {
    return this.#steps;
  }

  #tell({ request, sent, status, means }: { request: string; sent: Sent; status: number; means: () => string }): void {
    this.#steps += 1;
    this.#say(`${this.#asCurl ? '\n' : ''}${String(this.#steps).padStart(3)}  ${request} → ${status}`);
    this.#say(`     ${means()}`);
    if (this.#asCurl) this.#command(curlCommand(sent, this.ready));
  }

  /** A command that is pasted later is a repeat: it does nothing a second time. */
  #keyOf(method: string): Record<string, string> {
    return this.#asCurl && method !== 'GET' ? { 'idempotency-key': randomUUID() } : {};
  }
}

const withBody = (body: unknown, { headers, ...sent }: Sent): Sent =>
  body === undefined
    ? { headers, ...sent }
    : { ...sent, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };

async function send({ url, method, headers, body }: Sent): Promise<{ status: number; headers: Headers; body: Json }> {
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, headers: response.headers, body: parse(await response.text()) };
}

/** The sentence of an error envelope, its parameters filled in as a register app shows them. */
export const sentenceOf = ({ message, parameters }: Json): string =>
  String(message).replaceAll(/%(\d+)/g, (place, index) => String(parameters?.[Number(index) - 1] ?? place));

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Runs an operator's command: prints it with its output, and stops the day when it fails. */
export function runPos(teller: Teller, command: readonly string[]): void {
  const { ready } = teller;
  const line = `pos ${command.join(' ')}`;
  teller.print(`\n$ npm run pos -- ${command.join(' ')}`);
  const request = spawnSync(process.execPath, [programFile('cli/main'), ...command], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DATABASE_URL: ready.database,
      TEMPORAL_ADDRESS: ready.temporal,
      GATEWAY_SIMULATOR_URL: ready.gateway,
    },
  });
  teller.print(request.stdout.trimEnd());
  teller.must(request.status === 0, `${line} ended with ${request.status}: ${request.stderr}`);
}
