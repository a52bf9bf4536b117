import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, stillRuns, type ProcessIdentity } from './process-identity.ts';

const askAgainMs = 500;

/**
 * Runs a piece of work while nobody else on this machine does, by a file that names the process holding it. A file whose
 * process is gone counts for nothing.
 */
export async function withLock<Result>(
  file: string,
  { wait }: { wait: () => void },
  work: () => Promise<Result>,
): Promise<Result> {
  for (let asked = 0; !takeLock(file); asked++) {
    if (asked === 0) wait();
    await sleep(askAgainMs);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Whether the lock is ours now. */
export function takeLock(file: string): boolean {
  // Written aside and linked into place: nobody ever reads a lock without its holder in it.
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, JSON.stringify(identify(process.pid)), { mode: 0o600 });
  try {
    if (lockHolder(file)) return false;
    rmSync(file, { force: true });
    linkSync(aside, file);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
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
