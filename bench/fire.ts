import { fireChains, type Hits } from './fire-chains.ts';
import { openConnection, type Sent } from './support/http-connection.ts';

export interface Volley {
  url: string;
  /** The process whose processor time is measured. */
  pid: number;
  connections: number;
  seconds: number;
  /** The n-th request. */
  next: () => Sent;
}

/** Sends requests as fast as they are answered, for a number of seconds. Throws when one of them failed. */
export async function fire({ url, pid, connections, seconds, next }: Volley): Promise<Hits> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  const lanes = open.map(({ send }) => async () => {
    const request = next();
    const status = await send(request);
    if (status >= 400) throw new Error(`${request.method} ${url}${request.path} answered ${status}.`);
  });
  try {
    return await fireChains({ pid, seconds, lanes });
  } finally {
    for (const { close } of open) close();
  }
}
