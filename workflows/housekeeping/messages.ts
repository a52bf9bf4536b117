import { defineSignal, defineUpdate } from '../support/definitions.ts';

/** What goes from one run to the next; a new life begins with nothing and looks at everything first. */
export interface HousekeepingInput {
  /** Runs that ended until then were looked at. */
  lostUntil?: string;
  /** When it last looked for lost runs, and last compared; in milliseconds. */
  lookedForLostAt?: number;
  comparedAt?: number;
  isPaused?: boolean;
  /** The pause between two looks; absent: a minute. */
  everyMs?: number;
  /** The time after which a new run begins, so that no history grows long; absent: a day. */
  renewAfterMs?: number;
}

export interface LookRequest {
  /** Also for lost runs, and compares; otherwise as each minute. */
  everything?: boolean;
}

/** What the last look did: kinds of work and how many of each were started or told. */
export interface Looked {
  counts: Record<string, number>;
  /** What could not be looked at or woken. */
  failed: string[];
}

/** From operators and tests: looks now, also while it is paused, and answers once everything it began is done. */
export const lookNowUpdate = defineUpdate<Looked, [LookRequest]>('lookNow');
/** From operators: nothing is looked at until `resume`. */
export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');

/** One for each installation: the queue's name separates those that share a namespace. */
export const housekeepingId = (taskQueue: string) =>
  taskQueue === 'pos' ? 'housekeeping' : `housekeeping-${taskQueue}`;

/** Shown in the list of workflows. */
export const housekeepingSummary = 'Takes up, each minute, what nobody continues';
