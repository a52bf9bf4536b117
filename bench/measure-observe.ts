import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { columns } from '../cli/support.ts';
import { startProcess, type BenchProcess } from './processes.ts';
import { send } from './send.ts';
import { shippedFlags } from './shipped-flags.ts';
import { cpuTimeMs, median, verdict } from './support.ts';

/** Processor time of a request, in ms, of APIs that differ in what they tell of it alone. */
export interface ObserveRound {
  silent: number;
  counted: number;
  sampledOut: number;
  traced: number;
}

export interface ObserveInput {
  databaseUrl: string;
  token: string;
  rounds: number;
  say: (line: string) => void;
}

/** A small read, of which what is told is the greatest part. */
const request = { method: 'GET', path: '/V1/store/websites' } as const;
const lanes = 8;
const requestsOfLane = 100;

/** A collector that takes everything and keeps nothing. */
async function startCollector() {
  const server = createServer((incoming, answer) => {
    incoming.resume().once('end', () => answer.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * The same request to four APIs, in turns: one that tells nothing, one with metrics and log lines, two with traces
 * beside them.
 */
export async function measureObserve({ databaseUrl, token, rounds, say }: ObserveInput): Promise<ObserveRound[]> {
  const collector = await startCollector();
  const reported = { LOG_LEVEL: 'info', LOG_REQUESTS: '1', API_METRICS_PORT: '0' };
  const traced = { ...reported, OTEL_EXPORTER_OTLP_ENDPOINT: collector };
  const choices: Record<keyof ObserveRound, Record<string, string>> = {
    silent: { LOG_REQUESTS: '0' },
    counted: reported,
    sampledOut: { ...traced, OTEL_TRACES_SAMPLER: 'always_off' },
    traced,
  };
  const apis = new Map<string, BenchProcess>();
  for (const [name, choice] of Object.entries(choices)) {
    const environment = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: '127.0.0.1:9', ...choice };
    const own = { name: `observed-${name}`, file: 'dist/api/main.js', readyPath: '/health/live' };
    apis.set(name, await startProcess({ ...own, environment, nodeOptions: shippedFlags('api') }));
  }
  try {
    const done: ObserveRound[] = [];
    for (let round = 0; round <= rounds; round++) {
      const found = { silent: 0, counted: 0, sampledOut: 0, traced: 0 };
      for (const name of ['silent', 'counted', 'sampledOut', 'traced'] as const) {
        found[name] = await cpuOfRequest(apis.get(name), token);
      }
      // Of the first round everything is compiled.
      if (round === 0) continue;
      done.push(found);
      say(`  observing, round ${round}: ${(found.counted / found.silent).toFixed(2)} of a silent request`);
    }
    return done;
  } finally {
    await Promise.allSettled([...apis.values()].map((one) => one.stop()));
  }
}

async function cpuOfRequest(api: BenchProcess | undefined, token: string): Promise<number> {
  if (!api) throw new Error('an API that is measured was not started');
  const before = cpuTimeMs(api.pid) ?? Number.NaN;
  const lane = async () => {
    for (let n = 0; n < requestsOfLane; n++) await send(api.url, token, request);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return ((cpuTimeMs(api.pid) ?? Number.NaN) - before) / (lanes * requestsOfLane);
}

/** Of a request that nobody hears of. */
const mostOfSilent = 1.25;

export function reportObserve(rounds: readonly ObserveRound[]): string {
  const middle = (of: (round: ObserveRound) => number) => median(rounds.map(of));
  const row = (name: string, of: (round: ObserveRound) => number, target = '') => [
    name,
    `${middle(of).toFixed(2)} ms`,
    middle((round) => of(round) / round.silent).toFixed(2),
    target,
  ];
  const counted = middle((round) => round.counted / round.silent);
  return `\n${columns([
    ['A SMALL READ', 'PROCESSOR TIME', 'RATIO', 'TARGET'],
    row('nothing told', ({ silent }) => silent),
    row('metrics and a log line', (round) => round.counted, `≤ ${mostOfSilent} ${verdict(counted <= mostOfSilent)}`),
    row('and traces, none sampled', ({ sampledOut }) => sampledOut),
    row('and traces, all sampled', ({ traced }) => traced),
  ])}`;
}
