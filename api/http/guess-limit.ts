import { unavailable } from '../../domain/errors.ts';
import { networkOf } from './network-of.ts';

/**
 * How many sign-ins of one address may fail at once; one more is permitted each second. Successful ones do not count,
 * so a shop behind one address is not limited.
 */
export const mostFailures = 120;
const oneMoreMs = 1_000;
/** The most addresses remembered; each takes about 100 bytes. */
const mostAddresses = 10_000;

interface Account {
  /** The failures that still counted at that time. */
  failures: number;
  at: number;
}

export interface GuessLimit {
  /** Counts an attempt as failed before it is made. Refused with 503: too many of that address failed. */
  count(address: string): void;
  /** The sign-in succeeded. */
  forget(address: string): void;
}

/**
 * Limits failed sign-ins without a token, by client address, before anything is hashed or written.
 *
 * Only in this process: the lock of a name, which must be exact, is in the database.
 */
export function createGuessLimit(now: () => number = () => performance.now()): GuessLimit {
  const accounts = new Map<string, Account>();

  const failuresOf = (key: string) => {
    const account = accounts.get(key);
    return account ? Math.max(0, account.failures - (now() - account.at) / oneMoreMs) : 0;
  };
  const set = (key: string, failures: number) => {
    // Moved to the end: the first one has been idle for longest.
    accounts.delete(key);
    if (failures > 0) accounts.set(key, { failures, at: now() });
    if (accounts.size > mostAddresses) for (const first of accounts.keys()) return void accounts.delete(first);
  };
  return {
    count(address) {
      const key = networkOf(address);
      const failures = failuresOf(key);
      if (failures + 1 > mostFailures) throw unavailable('Too many sign-ins at once. Please try again later.');
      set(key, failures + 1);
    },
    forget(address) {
      const key = networkOf(address);
      set(key, failuresOf(key) - 1);
    },
  };
}
