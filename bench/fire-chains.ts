import type { Hits } from './fire.ts';
import { cpuTimeMs } from './support/cpu-time.ts';
import { median } from './support/statistics.ts';

export interface ChainVolley {
  /** The process whose processor time is measured. */
  pid: number;
  connections: number;
  seconds: number;
  /** Runs one chain, from its first request to its last answer. */
  one: () => Promise<unknown>;
}

/** As `fire`, for chains of requests: each connection starts the next chain when its last one has ended. */
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
