/** What came back: a body that is not trusted to be what was promised; or why nothing did. */
export type CreditServiceAnswer = { status: number; body: unknown } | { failure: string };

export interface CreditServiceSettings {
  baseUrl: string;
  apiKey: string | undefined;
  /** What it keeps. */
  kind: 'gift_card' | 'store_credit';
}

/** No answer of the service is longer; one that is longer is not read to its end. */
const longestBody = 64 * 1024;

/** One POST that ends by its deadline. Never throws, follows no redirect, and never repeats what was sent in a message. */
export async function callCreditService(
  { baseUrl, apiKey }: CreditServiceSettings,
  { path, body, deadline }: { path: string; body: Record<string, unknown>; deadline: Date },
): Promise<CreditServiceAnswer> {
  const remaining = deadline.getTime() - Date.now();
  if (remaining <= 0) return { failure: 'was not asked: the time was over' };
  try {
    const response = await fetch(new URL(path, baseUrl), {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(remaining),
      redirect: 'error',
    });
    return { status: response.status, body: parse(await readBounded(response)) };
  } catch (error) {
    const isLate = typeof error === 'object' && error !== null && Reflect.get(error, 'name') === 'TimeoutError';
    return { failure: isLate ? 'did not answer in time' : 'could not be reached' };
  }
}

/** An answer that is too long is none. */
async function readBounded({ body }: Response): Promise<string | undefined> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > longestBody) return undefined;
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
