import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { startPostgres, type PostgresServer } from '../../local/postgres.ts';
import { findServer } from '../../local/temporal/find-server.ts';
import { prepareServer } from '../../local/temporal/prepare-server.ts';
import { startTemporal, type TemporalServer } from '../../local/temporal/start-server.ts';
import { bundleTo } from '../../worker/bundle.ts';
import { outcomesFolder } from './seen-outcomes.ts';

export interface TestServers {
  folder: string;
  postgres: PostgresServer;
  temporal: TemporalServer | undefined;
}

const namespace = 'pos';

/** One PostgreSQL, one Temporal server and one workflow bundle for all test files; each takes its own database. */
export default async function setUp(): Promise<void> {
  (globalThis as { testServers?: TestServers }).testServers = await startTestServers();
}

/** Starts them, and tells this process and its children where they are. */
export async function startTestServers(): Promise<TestServers> {
  const folder = mkdtempSync(join(tmpdir(), 'pos-test-'));
  const [postgres, temporal, bundle] = await Promise.all([
    migratedPostgres(),
    temporalServer(join(folder, 'temporal.log')),
    bundleTo(join(folder, 'workflows.js')),
  ]);
  process.env['TEST_POSTGRES'] = postgres.url('');
  process.env['TEST_TEMPORAL'] = temporal.address;
  process.env['TEST_BUNDLE'] = bundle;
  // Named from outside it stays: parts of the suite, run one after the other, then add up.
  process.env[outcomesFolder] ??= join(folder, 'outcomes');
  return { folder, postgres, temporal: temporal.server };
}

async function migratedPostgres(): Promise<PostgresServer> {
  const postgres = await startPostgres({ durable: false });
  const admin = new pg.Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query('create database template_pos');
  await admin.end();
  await migrate(postgres.url('template_pos'));
  return postgres;
}

/** The server of TEMPORAL_ADDRESS, else one of our own, found or built as `npm start` does. */
async function temporalServer(logFile: string): Promise<{ address: string; server: TemporalServer | undefined }> {
  const found = await findServer({ environment: process.env, say: (line) => console.error(line) });
  if ('binary' in found) {
    const server = await startTemporal({ binary: found.binary, namespace, logFile });
    return { address: server.address, server };
  }
  await prepareServer({ address: found.address, namespace });
  return { address: found.address, server: undefined };
}
