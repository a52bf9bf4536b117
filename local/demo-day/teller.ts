import type { Ready } from '../ready-file.ts';

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

/** Prints each request, its answer and one line of meaning; stops the day when an answer is not the expected one. */
export class Teller {
  readonly ready: Ready;
  readonly #say: (line: string) => void;
  #steps = 0;

  constructor(ready: Ready, say: (line: string) => void) {
    this.ready = ready;
    this.#say = say;
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
    const answer = await this.#send(`${this.ready.api}${path}`, {
      method,
      token,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    });
    seesHeaders?.(answer.headers);
    this.#tell({
      request: `${method} ${decodeURIComponent(path)}`,
      status: answer.status,
      means: () => means(answer.body),
    });
    this.must(answer.status === expect, `Expected ${expect}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** A request to the gateway simulator, which stands for the card terminal and the processor's own books. */
  async askGateway({ method, path, body, means }: Pick<Ask, 'method' | 'path' | 'body' | 'means'>): Promise<Json> {
    const answer = await this.#send(`${this.ready.gateway}${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
    });
    this.#tell({ request: `gateway ${method} ${path}`, status: answer.status, means: () => means(answer.body) });
    this.must(answer.status < 300, `The simulator answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /**
   * Reads a page as a browser without scripts does. Its address is the visitor's secret, so only a part of it is
   * printed.
   */
  async visit({ path, form, expect = [200], means }: Visit): Promise<Visited> {
    const response = await fetch(new URL(path, this.ready.api), {
      signal: AbortSignal.timeout(60_000),
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    const { status, headers } = response;
    const page = { status, headers, text: Buffer.from(await response.arrayBuffer()).toString('latin1') };
    const shown = path.replace(/(?<=[\da-f]{8})[\da-f]{56}/, '…');
    this.#tell({ request: `${form ? 'POST' : 'GET'} ${shown}`, status, means: () => means(page) });
    this.must(expect.includes(status), `Expected ${expect.join(' or ')}, got ${status}.`);
    return page;
  }

  must(holds: boolean, otherwise: string): void {
    if (!holds) throw new DayWentWrong(otherwise);
  }

  get steps(): number {
    return this.#steps;
  }

  #tell({ request, status, means }: { request: string; status: number; means: () => string }): void {
    this.#steps += 1;
    this.#say(`${String(this.#steps).padStart(3)}  ${request} → ${status}`);
    this.#say(`     ${means()}`);
  }

  async #send(
    url: string,
    {
      method,
      token,
      headers,
      body,
    }: { method: string; token?: string; headers?: Record<string, string>; body?: unknown },
  ): Promise<{ status: number; headers: Headers; body: Json }> {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }
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
