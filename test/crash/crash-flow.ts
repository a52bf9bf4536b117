import type { Lane, ProcessName } from './lane.ts';

/**
 * A flow under way: what the register does, and what must be true of its answers and of the books once all is quiet.
 */
export interface FlowRun {
  /** Presses until it is done; never sees a crash but as a missing answer. */
  go(): Promise<void>;
  /** What is wrong with how it ended; nothing when it ended as it should. */
  faults(): Promise<string[]>;
  /** Workflows that must have ended, or do not exist, once all is quiet. */
  workflows: () => readonly string[];
}

/** Something a register does that must survive a crash at each of its steps. */
export interface CrashFlow {
  id: string;
  title: string;
  /** It counts what happens in the whole shop, so it needs one of its own. */
  isAlone?: true;
  /** Where it takes steps. */
  processes: readonly ProcessName[];
  /** Sets the table; no step of this is a crash point. */
  prepare(lane: Lane): Promise<FlowRun>;
}

/** One sentence for each expectation that does not hold. */
export const unlessEqual = (what: string, found: unknown, expected: unknown): string[] =>
  JSON.stringify(found) === JSON.stringify(expected)
    ? []
    : [`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`];
