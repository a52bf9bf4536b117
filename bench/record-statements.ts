import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { scratch, startProcess } from './processes.ts';
import type { Recorded } from './replay.ts';
import type { BenchRequest, Preparation, Scenario } from './scenario.ts';
import { sendFully } from './send.ts';

export interface Recording {
  recorded: Recorded[];
  subject: string;
  plain: NonNullable<Scenario['plain']>;
  answer: unknown;
}

/** Sends each scenario's request twice to an API that writes down its statements, and keeps those of the second. */
export async function recordStatements(
  scenarios: readonly Scenario[],
  { databaseUrl, token, execute }: { databaseUrl: string; token: string; execute: Preparation['execute'] },
): Promise<Recording[]> {
  const file = join(scratch, 'statements.jsonl');
  const api = await startProcess({
    name: 'recorded-api',
    file: 'api/main.ts',
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
      await send(scenario.request(warm));
      rmSync(file, { force: true });
      const { answer } = await send(scenario.request(subject));
      const sent = readStatements(file);
      const recorded = scenario.edit?.(sent, subject) ?? sent;
      recordings.push({ recorded, subject: String(subject), plain: scenario.plain ?? 'statements', answer });
    }
    return recordings;
  } finally {
    await api.stop();
  }
}

const readStatements = (file: string): Recorded[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Recorded => JSON.parse(line))
    : [];
