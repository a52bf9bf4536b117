/**
 * What kept a statement from its end, where neither its text nor its data is to blame.
 *
 * away: the database cannot be reached, or the connection was lost before anything was committed ·
 * busy: a lock, a connection or an answer took too long, and PostgreSQL undid the statement ·
 * unknown: the connection was lost while a change was committed, so nobody knows whether it was.
 */
export type Trouble = 'away' | 'busy' | 'unknown';

/** As PostgreSQL numbers what happened, also where it was the client that noticed (appendix A of its manual). */
export const sqlStates = {
  cannotConnect: '08001',
  connectionLost: '08006',
  outcomeUnknown: '08007',
  noConnectionFree: '53300',
  lockNotAvailable: '55P03',
} as const;

/** Trouble that the client noticed; what the server says itself keeps its own class. */
export class DatabaseTrouble extends Error {
  override name = 'DatabaseTrouble';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Cut off by the server: at its end or start, or because a transaction stood still for too long. */
const awayCodes = /^(?:08...|57P0[1-5]|25P0[34])$/;
/** A lock or a statement that took too long, and a server that has no room left. */
const busyCodes = /^(?:55P03|57014|53...)$/;

/** Whether an error is trouble of the database, and which; undefined for every other one. */
export function troubleOf(error: unknown): Trouble | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const trouble = troubleNamed(Reflect.get(cause, 'code'));
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

export function troubleNamed(code: unknown): Trouble | undefined {
  if (typeof code !== 'string') return undefined;
  if (code === sqlStates.outcomeUnknown) return 'unknown';
  if (awayCodes.test(code)) return 'away';
  return busyCodes.test(code) ? 'busy' : undefined;
}
