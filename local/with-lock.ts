import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, stillRuns, type ProcessIdentity } from './process-identity.ts';

const askAgainMs = 500;

/**
 * Runs work while no other process on this machine does, using a file that names the process with the lock. A file
 * whose process has ended does not count.
 */
export async function withLock<Result>(
  file: string,
  { wait }: { wait: () => void },
  work: () => Promise<Result>,
): Promise<Result> {
  for (let request = 0; !takeLock(file); request++) {
    if (request === 0) wait();
    await sleep(askAgainMs);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Whether we have the lock now. */
export function takeLock(file: string): boolean {
  // Written aside and linked into place, so that a lock without its holder is never read.
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, JSON.stringify(identify(process.pid)), { mode: 0o600 });
  try {
    return isLinked(aside, file) || (isAbandoned(file) && isLinked(aside, file));
  } finally {
    rmSync(aside, { force: true });
  }
}

/** A link is refused where a file is: of many who try, one has the lock. */
function isLinked(aside: string, file: string): boolean {
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes the lock of an ended process away. Between the look and the removal another may have taken it: so it is moved
 * first, looked at again, and put back where somebody holds it.
 */
function isAbandoned(file: string): boolean {
  if (lockHolder(file)) return false;
  const old = `${file}.${process.pid}.old`;
  try {
    renameSync(file, old);
  } catch {
    // Somebody else removed it.
    return true;
  }
  const isOurs = lockHolder(old) === undefined;
  if (!isOurs) isLinked(old, file);
  rmSync(old, { force: true });
  return isOurs;
}

/** The running process that holds the lock. */
export function lockHolder(file: string): ProcessIdentity | undefined {
  try {
    const holder: ProcessIdentity = JSON.parse(readFileSync(file, 'utf8'));
    return stillRuns(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}
