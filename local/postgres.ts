import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';
import { openLog, type OpenLog } from './open-log.ts';
import { clearLeftOvers, findPrograms, identity, prepareDataFolder } from './postgres-home.ts';

export interface PostgresServer {
  port: number;
  dataDir: string;
  pid: number;
  url(database: string): string;
  stop(): Promise<void>;
  /** Settles with the reason when the server has ended. */
  ended: Promise<string>;
}

export interface PostgresOptions {
  /** The folder of the data; absent: a temporary folder, deleted with the server. */
  root?: string;
  port?: number;
  /** Default durability. Without it a crash of the machine may lose data: for tests only. */
  durable: boolean;
  /** Absent: no log. */
  logFile?: string;
  /** Called when the log cannot be written. */
  say?: (line: string) => void;
}

const startAttempts = 5;
const readyLine = 'database system is ready to accept connections';
/** A test run has hundreds of databases, and autovacuum visits them all the time. */
const untilLost = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'].flatMap((what) => [
  '-c',
  `${what}=off`,
]);

/** Enough for six processes with ten connections each; tests and benches run several sets of them. */
const mostConnections = 200;

/** Starts a private PostgreSQL from the binaries npm installed. Tries again when a chosen port was taken meanwhile. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'pos-postgres-'));
  const dataDir = await prepareDataFolder(root, options.durable);
  await clearLeftOvers(dataDir);
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const { child, log, ready } = await launch({ ...options, dataDir, port });
    if (ready) return serverOf({ child, port, dataDir, temporaryRoot: options.root === undefined ? root : undefined });
    if (options.port !== undefined || attempt === startAttempts) throw new Error(`PostgreSQL did not start:\n${log}`);
  }
}

async function launch(at: PostgresOptions & { dataDir: string; port: number }) {
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${dirname(at.dataDir)}`,
    `max_connections=${mostConnections}`,
  ].flatMap((setting) => ['-c', setting]);
  const flags = ['-D', at.dataDir, '-p', String(at.port), ...settings, ...(at.durable ? [] : untilLost)];
  // A process group of its own: Ctrl-C then reaches only the parent, which decides the order of stopping.
  const child = spawn(join(findPrograms(), 'postgres'), flags, {
    ...identity(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { LC_ALL: 'C' },
  });
  const log = at.logFile === undefined ? undefined : openLog(at.logFile, at.say ?? (() => undefined));
  return { child, ...(await untilReady(child, log)) };
}

async function untilReady(child: ChildProcess, file: OpenLog | undefined) {
  let log = '';
  const ready = await new Promise<boolean>((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      file?.write(chunk);
      log += String(chunk);
      if (log.includes(readyLine)) resolve(true);
    });
    child.once('exit', () => resolve(false));
    child.once('error', (error) => {
      log += error.message;
      resolve(false);
    });
  });
  child.stderr?.removeAllListeners('data');
  child.stderr?.on('data', (chunk: Buffer) => file?.write(chunk)).once('end', () => file?.end());
  return { log, ready };
}

/** A test run leaves half a million files: a process of its own removes them, and nothing waits for it. */
const removeLater = (folder: string) =>
  spawn('rm', ['-rf', folder], { detached: true, stdio: 'ignore' })
    .once('error', () => rmSync(folder, { recursive: true, force: true }))
    .unref();

function serverOf(at: {
  child: ChildProcess;
  port: number;
  dataDir: string;
  temporaryRoot: string | undefined;
}): PostgresServer {
  const { child, port, dataDir, temporaryRoot } = at;
  const killOrphan = () => child.kill('SIGQUIT');
  process.once('exit', killOrphan);
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)),
  );
  void ended.then(() => process.removeListener('exit', killOrphan));
  child.unref();
  return {
    port,
    dataDir,
    pid: child.pid ?? 0,
    ended,
    url: (database) => `postgresql://pos:pos@127.0.0.1:${port}/${database}`,
    async stop() {
      child.ref();
      // What is lost anyway needs no checkpoint.
      child.kill(temporaryRoot === undefined ? 'SIGINT' : 'SIGQUIT');
      if (child.exitCode === null && child.signalCode === null) await ended;
      if (temporaryRoot !== undefined) removeLater(temporaryRoot);
    },
  };
}
