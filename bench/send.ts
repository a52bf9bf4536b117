import type { BenchRequest } from './scenario.ts';

/** One request, answered; throws with the answer when it was refused. */
export async function send(url: string, token: string, { method, path, body }: BenchRequest): Promise<unknown> {
  const response = await fetch(`${url}/rest${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
