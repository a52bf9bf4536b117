import type { Ready } from '../ready-file.ts';

/** What a register asks for, and what it expects. */
export interface Ask {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  /** Whose token; the register's unless told otherwise. */
  as?: 'register' | 'admin';
  /** Of somebody who signed in. */
  token?: string;
  headers?: Record<string, string>;
  /** Is told the answer's headers. */
  seesHeaders?: (headers: Headers) => void;
  /** The status that is right at this point of the day. */
  expect?: number;
  /** One line on what the answer means. */
  means: (body: Json) => string;
}

/** What somebody in front of a browser asks for. */
export interface Visit {
  /** Outside the interface, such as `/receipt/…`. */
  path: string;
  /** Absent: the page is looked at. */
  form?: Record<string, string>;
  /** Any of these is right; 200 unless told otherwise. */
  expect?: readonly number[];
  means: (page: Visited) => string;
}

export interface Visited {
  status: number;
  headers: Headers;
  text: string;
}

/** Whatever a server answered: a demo looks into it as a register app would. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

/** Stops the demo: the exit code tells. */
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

  /** As it stands, such as a command and what it prints. */
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

  /** A page, as a browser without script asks for it. Its address is a secret of its visitor: a part of it is told. */
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
