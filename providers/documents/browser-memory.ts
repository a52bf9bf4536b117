import { readdirSync, readFileSync } from 'node:fs';

/**
 * The memory that a browser and all processes below it hold for themselves, in MB. Its program, which they share with each
 * other and with the next browser, is not counted.
 *
 * @returns undefined on a system without `/proc`, and for a browser that has ended
 */
export function browserMemory(pid: number): number | undefined {
  const own = ownKilobytes(pid);
  if (own === undefined) return undefined;
  const below = processesBelow(pid).map((one) => ownKilobytes(one) ?? 0);
  return Math.round(below.reduce((sum, one) => sum + one, own) / 1_024);
}

/** Chromium has about ten processes, three deep. */
function processesBelow(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) => numbersIn(`/proc/${pid}/task/${thread}/children`));
  return children.flatMap((child) => [child, ...processesBelow(child)]);
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

const numbersIn = (path: string) => (textOf(path) ?? '').split(' ').filter(Boolean).map(Number);

function ownKilobytes(pid: number): number | undefined {
  const status = textOf(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  const parts = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)];
  return parts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0);
}

/** A process may be gone meanwhile. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
