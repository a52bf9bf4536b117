import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, stillRuns, type ProcessIdentity } from './process-identity.ts';
import { writeStateFile } from './state-file.ts';

type Named = ProcessIdentity & { name: string };

const askEveryMs = 50;
const stoppedWithinMs = 8_000;

/** Records the running processes, so that the next start can end those left by a `kill -9` of this one. */
export function noteProcesses(file: string, processes: { name: string; pid: number }[]): void {
  if (processes.length === 0) return rmSync(file, { force: true });
  writeStateFile(file, JSON.stringify(processes.map(({ name, pid }): Named => ({ name, ...identify(pid) }))));
}

/**
 * Ends every recorded process that still runs, the last started first.
 * @returns their names
 */
export async function stopLeftOvers(file: string): Promise<string[]> {
  const left = runningOf(file);
  for (const one of left.toReversed()) await end(one);
  rmSync(file, { force: true });
  return left.map(({ name }) => name);
}

/** The recorded processes that run. */
export const runningOf = (file: string): Named[] => (existsSync(file) ? readProcesses(file).filter(stillRuns) : []);

function readProcesses(file: string): Named[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // A file of an older release that was not written completely.
    return [];
  }
}

async function end(one: Named): Promise<void> {
  // For PostgreSQL, SIGTERM waits for all clients and SIGINT stops cleanly at once; the other processes accept
  // either.
  process.kill(one.pid, 'SIGINT');
  for (const until = Date.now() + stoppedWithinMs; stillRuns(one) && Date.now() < until;) await sleep(askEveryMs);
  if (stillRuns(one)) process.kill(one.pid, 'SIGKILL');
}
