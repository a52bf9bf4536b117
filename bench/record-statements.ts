import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { scratch, startProcess } from './processes.ts';
import type { Recorded } from './replay.ts';
import type { BenchRequest, Preparation, Scenario } from './scenario.ts';
import { sendChain } from './send-chain.ts';
import { sendFully } from './send.ts';

export interface Recording {
  recorded: Recorded[];
  subject: string;
  plain: NonNullable<Scenario['plain']>;
  answer: unknown;
  /** Of a hundred requests that write nothing; only where requested. */
  walBytes?: number;
}

/** Sends each scenario's request twice to an API that records its statements, and keeps those of the second. */
export async function recordStatements(
  scenarios: readonly Scenario[],
  { databaseUrl, token, execute }: { databaseUrl: string; token: string; execute: Preparation['execute'] },
): Promise<Recording[]> {
  const file = join(scratch, 'statements.jsonl');
  const api = await startProcess({
    name: 'recorded-api',
    file: 'dist/api/main.js',
    environment: { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: '127.0.0.1:9', BENCH_RECORDING: file },
    readyPath: '/health/live',
    nodeOptions: `--import=${new URL('recorder.ts', import.meta.url).href}`,
  });
  try {
    const recordings: Recording[] = [];
    for (const scenario of scenarios) {
      const send = (request: BenchRequest) => sendFully(api.url, token, request);
      await scenario.prepare?.({ send, execute });
      const [warm, subject] = [scenario.subjectOf(0), scenario.subjectOf(1)];
      const answerTo = async (request: BenchRequest) => (await send(request)).answer;
      await sendChain(scenario, warm, answerTo);
      rmSync(file, { force: true });
      const answer = (await sendChain(scenario, subject, answerTo)).at(-1);
      const sent = readStatements(file);
      const recorded = scenario.edit?.(sent, subject) ?? sent;
      const plain = scenario.plain ?? 'statements';
      const walBytes = scenario.readsOnly ? await walOf(execute, () => repeat(scenario, send)) : undefined;
      recordings.push({
        recorded,
        subject: String(subject),
        plain,
        answer,
        ...(walBytes === undefined ? {} : { walBytes }),
      });
    }
    return recordings;
  } finally {
    await api.stop();
  }
}

/** Bytes that clients wrote into the log; the server's own writes do not count. */
async function walOf(execute: Preparation['execute'], work: () => Promise<void>): Promise<number> {
  const written = async () => {
    const [row] = await execute<{ bytes: string }>(
      `select coalesce(sum(w.wal_bytes), 0) as bytes
       from pg_stat_activity a, pg_stat_get_backend_wal(a.pid) w where a.backend_type = 'client backend'`,
    );
    return Number(row?.bytes);
  };
  // The first reader of a row or of the catalogue may clean up its page; that is not caused by the measured work.
  const measured: number[] = [];
  for (let n = 0; n <= 3; n++) {
    const before = await written();
    await work();
    measured.push((await written()) - before);
  }
  return Math.min(...measured);
}

async function repeat(scenario: Scenario, send: (request: BenchRequest) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 100; n++) await send(scenario.request(scenario.subjectOf(n)));
}

const readStatements = (file: string): Recorded[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Recorded => JSON.parse(line))
    : [];
