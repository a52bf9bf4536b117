import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { startPostgres, type PostgresServer } from '../../local/postgres.ts';
import { findServer } from '../../local/temporal/find-server.ts';
import { prepareServer } from '../../local/temporal/prepare-server.ts';
import { startTemporal, type TemporalServer } from '../../local/temporal/start-server.ts';
import { bundleTo } from '../../worker/bundle.ts';
import { idsBefore } from './first-id.ts';
import { outcomesFolder } from './seen-outcomes.ts';
import { endWhatIsLeft, runName, tell } from './what-is-left.ts';

export interface TestServers {
  folder: string;
  postgres: PostgresServer;
  temporal: TemporalServer | undefined;
}

const namespace = 'pos';

let servers: TestServers | undefined;

/** One PostgreSQL, one Temporal server and one workflow bundle for all test files; each takes its own database. */
export default async function setUp(): Promise<void> {
  // A run that is called off takes along what it started: workers of Jest, servers, and what tests started.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  servers = await startTestServers();
  const run = servers.folder;
  process.env[runName] = run;
  process.once('exit', () => tell(run, 'SIGTERM'));
}

export async function tearDown(): Promise<void> {
  if (!servers) return;
  await endWhatIsLeft(servers.folder, (line) => console.error(line));
  await stopTestServers(servers);
}

/** Starts them, and tells this process and its children where they are. */
export async function startTestServers(): Promise<TestServers> {
  const folder = mkdtempSync(join(tmpdir(), 'pos-test-'));
  const [postgres, temporal, bundle] = await Promise.all([
    migratedPostgres(),
    temporalServer(join(folder, 'temporal.log')),
    bundleTo(join(folder, 'workflows.js')),
    compileAhead(),
  ]);
  // What tests write goes with the folder. PostgreSQL of a root's tests runs as somebody else and writes there, too.
  process.env['TEST_KEPT'] ??= tmpdir();
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.env['TEST_POSTGRES'] = postgres.url('');
  process.env['TEST_TEMPORAL'] = temporal.address;
  process.env['TEST_BUNDLE'] = bundle;
  // Named from outside it stays: parts of the suite, run one after the other, then add up.
  process.env[outcomesFolder] ??= join(folder, 'outcomes');
  return { folder, postgres, temporal: temporal.server };
}

export async function stopTestServers({ postgres, temporal, folder }: TestServers): Promise<void> {
  await Promise.all([postgres.stop(), temporal?.stop()]);
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Node keeps what it compiled of our files, also for the next run: each of the hundred processes that tests start takes
 * half as long. The first run compiles ahead; later, each process adds what has changed.
 */
async function compileAhead(): Promise<void> {
  const folder = join(tmpdir(), `pos-test-compiled-${process.getuid?.() ?? 0}`);
  process.env['NODE_COMPILE_CACHE'] = folder;
  if (existsSync(folder)) return;
  const loaded = [
    'api/app.ts',
    'api/routes.ts',
    'providers/temporal/connect-workflows.ts',
    'providers/index.ts',
    'worker/create-worker.ts',
  ];
  const load = loaded.map((file) => `await import('${pathToFileURL(file).href}');`).join(' ');
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `${load} process.exit();`]);
}

/** Bytes that a whole run needs: WAL up to its limit of 1 GB, and about 20 MB for each open database. */
const minFreeBytes = 4 * 1024 ** 3;

/**
 * Memory instead of a disk for the data, where Linux has enough of it: copying a database takes a fifth of the time, and the
 * disk no longer decides how long a run takes. Containers often have only 64 MB there; they use the disk.
 */
function memoryFolder(): { temporaryIn?: string } {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= minFreeBytes ? { temporaryIn: folder } : {};
}

async function migratedPostgres(): Promise<PostgresServer> {
  const postgres = await startPostgres({ durable: false, ...memoryFolder() });
  const admin = new pg.Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query('create database template_pos');
  await admin.end();
  await migrate(postgres.url('template_pos'));
  await startAfter(postgres.url('template_pos'), idsBefore);
  return postgres;
}

/** The platform's API names the default stock by its number, and 32000 stands for all customer groups. */
const fixedIds = ['inventory_stock_stock_id_seq', 'customer_group_id_seq'];

async function startAfter(url: string, id: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `select setval(format('%I', sequencename)::regclass, $1) from pg_sequences
     where schemaname = 'public' and max_value > $1 and sequencename <> all($2)`,
    [id, fixedIds],
  );
  await client.end();
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
