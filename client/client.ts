import { hear, type Again, type Done, type Heard, type Result } from './results.ts';
import type { AnswerOf, Call, CallOptions, CodeOf, PathOf, Verb } from './shapes.ts';

/** How a client reaches the service. Only `url` and `token` are needed. */
export interface ClientOptions {
  /** The address with `/rest`: `https://shop.example/rest`. */
  url: string;
  /** The register's token, or what reads it from the device's store. */
  token: string | (() => string | Promise<string>);
  /** Asked once where the token is over; answers a new one, or undefined where there is none. */
  signIn?: () => Promise<string | undefined>;
  fetch?: typeof globalThis.fetch;
  /** How long one try waits. The service itself gives a request up after a minute. */
  answerWithinMs?: number;
  /** How long a call is sent again before it is `unanswered`. */
  giveUpAfterMs?: number;
  /** Waits between two tries, or until the signal. For tests and for devices with a clock of their own. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A request as it is sent, word for word. */
export interface PlainRequest {
  method: string;
  /** Below `/rest`, with its query. */
  path: string;
  body: string | null;
  key: string | null;
}

export interface Client {
  get: Sender<'get'>;
  post: Sender<'post'>;
  put: Sender<'put'>;
  delete: Sender<'delete'>;
  /** One try, for what keeps its own requests, such as the outbox. */
  tryOnce: (request: PlainRequest, signal?: AbortSignal) => Promise<Heard>;
  /** How long to wait after so many tries. */
  waitAfter: (tries: number, heard: Again, signal: AbortSignal) => Promise<void>;
}

type Sender<Of extends Verb> = <Path extends PathOf<Of>>(
  path: Path,
  call: Call<Of, Path>,
) => Promise<Result<AnswerOf<Of, Path>, CodeOf<Of, Path>>>;

const answerWithinMs = 65_000;
const giveUpAfterMs = 120_000;

/** The guide's waits: 1, 2, 4 … 60 seconds. */
const longestWaitMs = 60_000;

/** A fault of the service may be over at the next try; three say that somebody must look. */
const mostFaults = 3;

/**
 * A client that keeps the four rules of the guide: each write has a key, no answer is no "no", the same request is sent
 * again with the same key, and a refusal is final. It throws nothing but mistakes of the program.
 */
export function createClient(options: ClientOptions): Client {
  const tryOnce = createTry(options);
  const wait = options.wait ?? waitFor;
  const waitAfter = (tries: number, heard: Again, signal: AbortSignal) => wait(pauseAfter(tries, heard), signal);

  const untilAnswered = async (request: PlainRequest, call: CallOptions): Promise<Result<unknown>> => {
    const endless = AbortSignal.timeout(call.giveUpAfterMs ?? options.giveUpAfterMs ?? giveUpAfterMs);
    const signal = call.signal ? AbortSignal.any([endless, call.signal]) : endless;
    let last: Again = { kind: 'again', because: 'It was not sent.', afterMs: null, status: null };
    for (let tries = 1, faults = 0; !signal.aborted; tries++) {
      const heard = await tryOnce(request, signal);
      if (heard.kind !== 'again') return heard;
      last = heard;
      if (heard.status === 500 && ++faults === mostFaults) break;
      await waitAfter(tries, heard, signal);
    }
    return { kind: 'unanswered', because: last.because, key: request.key };
  };

  const sender =
    (method: Verb) =>
    (
      path: string,
      call: CallOptions & { path?: Record<string, string | number> | undefined; body?: unknown },
    ): Promise<unknown> =>
      untilAnswered(
        {
          method: method.toUpperCase(),
          path: pathOf(path, call.path ?? {}, call.query),
          body: call.body === undefined ? null : JSON.stringify(call.body),
          key: method === 'post' || method === 'put' ? (call.key ?? crypto.randomUUID()) : null,
        },
        call,
      );
  return {
    get: sender('get') as Sender<'get'>,
    post: sender('post') as Sender<'post'>,
    put: sender('put') as Sender<'put'>,
    delete: sender('delete') as Sender<'delete'>,
    tryOnce,
    waitAfter,
  };
}

/** `/V1/pos/rma/{rmaId}` with its variables and its query. */
export function pathOf(
  path: string,
  variables: Readonly<Record<string, string | number | undefined>>,
  query: CallOptions['query'] = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new TypeError(`The path ${path} needs ${name}.`);
    return encodeURIComponent(value);
  });
  const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return words.length === 0 ? filled : `${filled}?${new URLSearchParams(words).toString()}`;
}

/** One try. A token that is over is renewed once, and the same request is sent. */
function createTry(options: ClientOptions): Client['tryOnce'] {
  const { url, signIn } = options;
  const send = options.fetch ?? globalThis.fetch;
  let renewed: string | undefined;
  const tokenNow = async () => renewed ?? (typeof options.token === 'function' ? await options.token() : options.token);

  const sendOnce = async (request: PlainRequest, signal?: AbortSignal): Promise<Heard> => {
    const inTime = AbortSignal.timeout(options.answerWithinMs ?? answerWithinMs);
    try {
      const response = await send(`${url}${request.path}`, {
        method: request.method,
        headers: headersOf(request, await tokenNow()),
        signal: signal ? AbortSignal.any([inTime, signal]) : inTime,
        cache: 'no-store',
        ...(request.body === null ? {} : { body: request.body }),
      });
      return hear({ status: response.status, headers: response.headers, text: await response.text() });
    } catch (error) {
      if (error instanceof TypeError && error.message.startsWith('Failed to parse URL')) throw error;
      const because = inTime.aborted ? 'There was no answer in time.' : 'The connection broke.';
      return { kind: 'again', because, afterMs: null, status: null };
    }
  };

  return async (request, signal) => {
    const heard = await sendOnce(request, signal);
    if (heard.kind !== 'signed_out' || !signIn) return heard;
    let token: string | undefined;
    try {
      token = await signIn();
    } catch {
      return { kind: 'again', because: 'Signing in failed.', afterMs: null, status: null };
    }
    if (token === undefined) return heard;
    renewed = token;
    return sendOnce(request, signal);
  };
}

const headersOf = ({ body, key }: PlainRequest, token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json',
  ...(body === null ? {} : { 'content-type': 'application/json' }),
  ...(key === null ? {} : { 'idempotency-key': key }),
});

/** As the service asks, else longer each time; with some chance in it, so that not all registers come at once. */
function pauseAfter(tries: number, { afterMs }: Again): number {
  const [chance = 0] = crypto.getRandomValues(new Uint16Array(1));
  const part = chance / 65_536;
  if (afterMs !== null) return afterMs + part * 500;
  return Math.min(longestWaitMs, 1_000 * 2 ** Math.min(tries - 1, 10)) * (0.5 + part / 2);
}

const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    if (signal.aborted) done();
  });

/** Whether the request was carried out: narrows a result to its value. */
export const isDone = <Value>(result: { kind: string }): result is Done<Value> => result.kind === 'done';
