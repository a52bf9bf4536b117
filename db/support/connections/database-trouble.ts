/**
 * Why a statement failed although neither its text nor its data is wrong.
 *
 * away: the database cannot be reached, or the connection was lost before a commit · busy: a lock, a connection or an
 * answer took too long, and PostgreSQL undid the statement · full: its disk has no space, and it undid the statement ·
 * unknown: the connection was lost during a commit, so its
 * outcome is unknown.
 */
export type Trouble = 'away' | 'busy' | 'full' | 'unknown';

/** PostgreSQL's codes for each kind, used also where the client noticed it (appendix A of its manual). */
export const sqlStates = {
  cannotConnect: '08001',
  connectionLost: '08006',
  outcomeUnknown: '08007',
  noConnectionFree: '53300',
  lockNotAvailable: '55P03',
  diskFull: '53100',
} as const;

/** A failure that the client noticed; errors of the server keep their own class. */
export class DatabaseTrouble extends Error {
  override name = 'DatabaseTrouble';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Ended by the server: at its shutdown or start, or because a transaction was idle too long. */
const awayCodes = /^(?:08...|57P0[1-5]|25P0[34])$/;
/** A lock or a statement that took too long, and a server without free resources. */
const busyCodes = /^(?:55P03|57014|53...)$/;

/** Whether the database ended a statement because it took longer than any may. */
export function isOutOfTime(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (Reflect.get(cause, 'code') === '57014') return true;
  return false;
}

/** The kind of database failure of an error; undefined for every other error. */
export function troubleOf(error: unknown): Trouble | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const trouble = troubleNamed(Reflect.get(cause, 'code'));
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

let fullAt = -Infinity;
/** A disk that was full counts as full for so long after the last write that it refused. */
const fullForMs = 60_000;

/** Whether the database refused a write of this process lately, because its disk is full: reads do not notice. */
export const isDiskFull = (): boolean => performance.now() - fullAt < fullForMs;

export function troubleNamed(code: unknown): Trouble | undefined {
  if (typeof code !== 'string') return undefined;
  if (code === sqlStates.outcomeUnknown) return 'unknown';
  if (code === sqlStates.diskFull) {
    fullAt = performance.now();
    return 'full';
  }
  if (awayCodes.test(code)) return 'away';
  return busyCodes.test(code) ? 'busy' : undefined;
}
