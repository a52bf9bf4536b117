import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, Say } from './version.ts';

/** One way to get a Temporal server: a program, or the reason why not. Only one runs at a time on a machine. */
export type WayToGetOne = (options: { cache: string; environment: Environment; say: Say }) => Promise<Got>;

export type Got = { binary: string } | { why: string };

/**
 * Lets a program be made in a folder aside, and then moves it into place: nobody ever sees half of it. What a killed
 * start left aside goes first.
 */
export async function putInPlace(folder: string, make: (program: string, aside: string) => unknown): Promise<string> {
  const [aside, binary] = [join(folder, '.unfinished'), join(folder, 'temporal')];
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  try {
    const program = join(aside, 'temporal');
    await make(program, aside);
    renameSync(program, binary);
    return binary;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** The words for a person: those of the network where there are some. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'no answer';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
