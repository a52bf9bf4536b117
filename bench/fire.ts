import autocannon from 'autocannon';
import { cpuTimeMs } from './support/cpu-time.ts';

export interface Volley {
  url: string;
  /** The process whose processor time is measured. */
  pid: number;
  connections: number;
  seconds: number;
  /** The n-th request. */
  next: () => { method: string; path: string; headers: Record<string, string>; body?: string };
}

export interface Hits {
  perSecond: number;
  p50Ms: number;
  /** Processor time of the process per request, which a busy machine hardly changes. */
  cpuMs: number;
}

/** Sends requests as fast as they are answered, for a number of seconds. Throws when one of them failed. */
export async function fire({ url, pid, connections, seconds, next }: Volley): Promise<Hits> {
  const before = cpuTimeMs(pid) ?? Number.NaN;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 20,
    requests: [{ setupRequest: (request) => ({ ...request, ...own(next()) }) }],
  });
  const failed = result.errors + result.timeouts + result['4xx'] + result['5xx'];
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed.`);
  const cpuMs = ((cpuTimeMs(pid) ?? Number.NaN) - before) / result.requests.total;
  return { perSecond: result.requests.average, p50Ms: result.latency.p50, cpuMs };
}

/** The generator writes the body's length into the given headers, so each request has its own copy. */
const own = (request: ReturnType<Volley['next']>) => ({ ...request, headers: { ...request.headers } });
