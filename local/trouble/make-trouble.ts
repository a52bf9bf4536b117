import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningOf } from '../left-overs.ts';

/** What can be called up: the names of the parts of `npm start`, and how they are held up. */
export const troubles = {
  'database-away': { part: 'PostgreSQL', says: 'the database says nothing: every request is 503 in time' },
  'database-slow': { part: 'PostgreSQL', says: 'the database works a fifth of the time: every request takes longer' },
  'temporal-away': { part: 'Temporal', says: 'Temporal says nothing: sales go on, what needs a workflow is 503' },
} as const;

export type Trouble = keyof typeof troubles;

/** Of each beat, how long the slow one stands and works. */
const beat = { standsMs: 400, worksMs: 100 };

export interface Trial {
  /** `processes.json` of a running `npm start`. */
  processes: string;
  trouble: Trouble;
  forMs: number;
  signal?: AbortSignal;
}

/**
 * Holds a part of a running local shop up, and lets it go on afterwards, also where it is called off. Nothing is lost:
 * the processes stand still, and are not ended.
 *
 * @returns false where no such part of ours runs here
 */
export async function makeTrouble({ processes, trouble, forMs, signal }: Trial): Promise<boolean> {
  const part = runningOf(processes).find(({ name }) => name === troubles[trouble].part);
  if (!part) return false;
  const all = () => [part.pid, ...processesBelow(part.pid)];
  const until = Date.now() + forMs;
  const rest = (ms: number) =>
    sleep(Math.max(0, Math.min(ms, until - Date.now())), undefined, { signal }).catch(() => undefined);
  try {
    do {
      send(all(), 'SIGSTOP');
      await rest(trouble === 'database-slow' ? beat.standsMs : forMs);
      if (trouble !== 'database-slow') continue;
      send(all(), 'SIGCONT');
      await rest(beat.worksMs);
    } while (Date.now() < until && signal?.aborted !== true);
  } finally {
    send(all(), 'SIGCONT');
  }
  return true;
}

/** One may have ended meanwhile. */
function send(pids: readonly number[], what: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, what);
    } catch {
      continue;
    }
  }
}

/** PostgreSQL has a process for each connection. */
function processesBelow(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}
