import type { BenchRequest, Sent } from './scenario.ts';

/** Sends one request and returns its answer; throws with the answer when it was refused. */
export async function send(url: string, token: string, request: BenchRequest): Promise<unknown> {
  return (await sendFully(url, token, request)).answer;
}

/** As `send`, with the answer's headers. A 304 has no body. */
export async function sendFully(url: string, token: string, request: BenchRequest): Promise<Sent> {
  const { method, path, body, headers } = request;
  const response = await fetch(url + pathOf(request), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok && response.status !== 304)
    throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  return { answer: isPage ? text : text === '' ? null : JSON.parse(text), headers: response.headers };
}

export const pathOf = ({ path, isOutside }: BenchRequest): string => (isOutside ? path : `/rest${path}`);
