import autocannon from 'autocannon';
import { cpuTimeMs } from './support/cpu-time.ts';

export interface Volley {
  url: string;
  /** Whose processor time is counted. */
  pid: number;
  connections: number;
  seconds: number;
  /** The n-th request. */
  next: () => { method: string; path: string; headers: Record<string, string>; body?: string };
}

export interface Hits {
  perSecond: number;
  p50Ms: number;
  /** Processor time of the process per request: what stays the same on a busy machine. */
  cpuMs: number;
}

/** Sends requests as fast as they are answered, for so many seconds. Throws when any of them failed. */
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

/** The generator writes the length of the body into the headers it is given: each request has its own. */
const own = (request: ReturnType<Volley['next']>) => ({ ...request, headers: { ...request.headers } });
