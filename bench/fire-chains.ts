import type { Hits } from './fire.ts';
import { cpuTimeMs } from './support/cpu-time.ts';
import { median } from './support/statistics.ts';

export interface ChainVolley {
  /** Whose processor time is counted. */
  pid: number;
  connections: number;
  seconds: number;
  /** One after the other, from its first request to its last answer. */
  one: () => Promise<unknown>;
}

/** The same as `fire` for what is several requests: each connection begins the next once it is through. */
export async function fireChains({ pid, connections, seconds, one }: ChainVolley): Promise<Hits> {
  const [before, began] = [cpuTimeMs(pid) ?? Number.NaN, performance.now()];
  const times: number[] = [];
  const connection = async () => {
    while (performance.now() - began < seconds * 1_000) {
      const start = performance.now();
      await one();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const perSecond = (times.length * 1_000) / (performance.now() - began);
  return { perSecond, p50Ms: median(times), cpuMs: ((cpuTimeMs(pid) ?? Number.NaN) - before) / times.length };
}
