import { cpuTimeMs } from './support/cpu-time.ts';
import { openConnection, type Sent } from './support/http-connection.ts';
import { median } from './support/statistics.ts';

export interface Volley {
  url: string;
  /** The process whose processor time is measured. */
  pid: number;
  connections: number;
  seconds: number;
  /** The n-th request. */
  next: () => Sent;
}

export interface Hits {
  perSecond: number;
  p50Ms: number;
  /** Processor time of the process per request, which a busy machine hardly changes. */
  cpuMs: number;
}

/** Sends requests as fast as they are answered, for a number of seconds. Throws when one of them failed. */
export async function fire({ url, pid, connections, seconds, next }: Volley): Promise<Hits> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  const [before, began] = [cpuTimeMs(pid) ?? Number.NaN, performance.now()];
  const times: number[] = [];
  const keepFiring = async ({ send }: (typeof open)[number]) => {
    while (performance.now() - began < seconds * 1_000) {
      const [request, start] = [next(), performance.now()];
      const status = await send(request);
      if (status >= 400) throw new Error(`${request.method} ${url}${request.path} answered ${status}.`);
      times.push(performance.now() - start);
    }
  };
  try {
    await Promise.all(open.map(keepFiring));
  } finally {
    for (const { close } of open) close();
  }
  const perSecond = (times.length * 1_000) / (performance.now() - began);
  return { perSecond, p50Ms: median(times), cpuMs: ((cpuTimeMs(pid) ?? Number.NaN) - before) / times.length };
}
