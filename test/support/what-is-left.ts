import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** The variable that every process of a run's tests inherits. */
export const runName = 'TEST_RUN';

/** How the databases of one of Jest's workers are named. A worker runs one file at a time. */
export const databasePrefix = (): string => `t${process.env['JEST_WORKER_ID'] ?? '0'}_`;

interface Left {
  pid: number;
  command: string;
}

/** Processes of a run's tests, as Linux tells of them; elsewhere none. */
export function processesOf(run: string): Left[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, 'environ').split('\0').includes(`${runName}=${run}`))
    .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => command !== '');
}

/** Tells what tests left behind, and ends it. */
export async function endWhatIsLeft(run: string, say: (line: string) => void): Promise<void> {
  for (const { command } of processesOf(run)) say(`A test left a process behind: ${command}`);
  tell(run, 'SIGTERM');
  for (let looks = 100; looks > 0 && processesOf(run).length > 0; looks--) await pause(100);
  tell(run, 'SIGKILL');
}

/** Drops this worker's databases on the shared server; a client that a test left is cut off. */
export async function dropDatabases(): Promise<void> {
  const server = process.env['TEST_POSTGRES'];
  if (!server) return;
  const admin = new pg.Client({ connectionString: `${server}postgres` });
  await admin.connect();
  const listed = 'select datname from pg_database where starts_with(datname, $1)';
  const { rows } = await admin.query<{ datname: string }>(listed, [databasePrefix()]);
  for (const { datname } of rows) await admin.query(`drop database ${datname} with (force)`);
  await admin.end();
}

/** What is asked to end takes along what it started. */
export function tell(run: string, signal: NodeJS.Signals): void {
  for (const { pid } of processesOf(run)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // It has ended meanwhile, or is somebody else's.
    return '';
  }
}
