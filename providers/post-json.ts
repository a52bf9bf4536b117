import { traceHeaders } from './observe/tracing.ts';

export interface JsonPost {
  /** The service's address; it may have a path of its own. */
  baseUrl: string;
  /** Below that address: `/v1/…`. */
  path: string;
  apiKey: string | undefined;
  /** Under this key the service treats a repeat as the same request. */
  idempotencyKey?: string | undefined;
  body: unknown;
  timeoutMs: number;
  /** In bytes; a longer answer is not read to its end and counts as unreadable. */
  longestAnswer: number;
}

/**
 * The answer, its body not checked yet (undefined: unreadable); or why there is none. `isSent` is false only where
 * not a byte of the request left this machine.
 */
export type JsonAnswer =
  | { status: number; body: unknown }
  | { failure: string; isSent: boolean; code: string | undefined };

/**
 * One POST to an outside service, which ends by its timeout. Never throws, follows no redirect, and never repeats
 * sent data in a message. Gateways use the stricter `callGateway` (`gateways/findings.ts`), because money may leave
 * only once.
 */
export async function postJson(post: JsonPost): Promise<JsonAnswer> {
  const { baseUrl, path, apiKey, idempotencyKey, body, timeoutMs, longestAnswer } = post;
  if (timeoutMs <= 0) return { failure: 'was not asked: the time was over', isSent: false, code: undefined };
  try {
    const response = await fetch(below(baseUrl, path), {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...traceHeaders(),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    return { status: response.status, body: parse(await readBounded(response, longestAnswer)) };
  } catch (error) {
    const code = codeOf(error);
    const isSent = code === undefined || !neverSent.has(code);
    return { failure: wordsFor(error, isSent), isSent, code };
  }
}

/** An address such as `https://services.example/pos` keeps its path. */
function below(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl);
  return new URL(url.pathname.replace(/\/$/v, '') + path, url);
}

function wordsFor(error: unknown, isSent: boolean): string {
  if (isTimeout(error)) return 'did not answer in time';
  return isSent ? 'broke the connection off' : 'could not be reached';
}

/** Error codes of a connection that was never made. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

async function readBounded({ body }: Response, longest: number): Promise<string | undefined> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > longest) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && Reflect.get(error, 'name') === 'TimeoutError';

/** The system's error code, however deep it is wrapped. */
function codeOf(error: unknown): string | undefined {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = Reflect.get(cause, 'cause')) {
    const code: unknown = Reflect.get(cause, 'code');
    if (typeof code === 'string') return code;
  }
  return undefined;
}
