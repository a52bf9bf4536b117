import { cpuTimeMs } from './support/cpu-time.ts';
import { median } from './support/statistics.ts';

export interface ChainVolley {
  /** The process whose processor time is measured. */
  pid: number;
  seconds: number;
  /** Of each connection: runs one chain, from its first request to its last answer. */
  lanes: readonly (() => Promise<unknown>)[];
}

export interface Hits {
  perSecond: number;
  p50Ms: number;
  /** Processor time of the process per chain, which a busy machine hardly changes. */
  cpuMs: number;
}

/** For a number of seconds each connection starts the next chain when its last one has ended. */
export async function fireChains({ pid, seconds, lanes }: ChainVolley): Promise<Hits> {
  const [before, began] = [cpuTimeMs(pid) ?? Number.NaN, performance.now()];
  const times: number[] = [];
  const keepFiring = async (one: () => Promise<unknown>) => {
    while (performance.now() - began < seconds * 1_000) {
      const start = performance.now();
      await one();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(lanes.map(keepFiring));
  const perSecond = (times.length * 1_000) / (performance.now() - began);
  return { perSecond, p50Ms: median(times), cpuMs: ((cpuTimeMs(pid) ?? Number.NaN) - before) / times.length };
}
