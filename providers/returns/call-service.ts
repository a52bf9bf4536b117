import type { RemoteReturnsSettings } from './remote-returns.ts';

/** An answer; or a call of which nothing left; or one whose end nobody saw. */
export type ServiceAnswer = { status: number; body: unknown } | { neverSent: string } | { lost: string };

/** No answer is longer; a body beyond it is not read as one. */
const longestBody = 256 * 1024;

/** Failures of a connection that was never made: not a byte of the request left this machine. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** One POST that ends by its time-out, classified; never throws for an answer. */
export async function callService(
  { baseUrl, apiKey, timeoutMs }: RemoteReturnsSettings,
  { path, body, key }: { path: string; body: unknown; key: string | undefined },
): Promise<ServiceAnswer> {
  try {
    const response = await fetch(new URL(path, baseUrl), {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    return { status: response.status, body: parse(await response.text()) };
  } catch (error) {
    const code = codeOf(error);
    return code !== undefined && neverSent.has(code)
      ? { neverSent: `It could not be reached (${code}).` }
      : { lost: isTimeout(error) ? 'It did not answer in time.' : 'The connection to it was lost.' };
  }
}

const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && Reflect.get(error, 'name') === 'TimeoutError';

function parse(text: string): unknown {
  if (text.length > longestBody) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The system's own word, however deep it is wrapped. */
function codeOf(error: unknown): string | undefined {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = Reflect.get(cause, 'cause')) {
    const code: unknown = Reflect.get(cause, 'code');
    if (typeof code === 'string') return code;
  }
  return undefined;
}
