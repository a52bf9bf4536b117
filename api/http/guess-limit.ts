import { unavailable } from '../../domain/errors.ts';
import { networkOf } from './network-of.ts';

/**
 * So many sign-ins of one address may fail at once, and one more each second. Those that succeed do not count: a shop whose
 * people all come by one address is left alone.
 */
export const mostFailures = 120;
const oneMoreMs = 1_000;
/** Addresses that are remembered; each takes some 100 bytes. */
const mostAddresses = 10_000;

interface Account {
  /** Failures that still count, at that moment. */
  failures: number;
  at: number;
}

export interface GuessLimit {
  /** Counts an attempt as failed before it is made. Refused with 503: too many of that address failed. */
  count(address: string): void;
  /** It succeeded. */
  forget(address: string): void;
}

/**
 * Sign-ins without a token, counted by their client's address, before anything is hashed or written.
 *
 * In this process only: what must be exact, the lock of a name, is kept in the database.
 */
export function createGuessLimit(now: () => number = () => performance.now()): GuessLimit {
  const accounts = new Map<string, Account>();

  const failuresOf = (key: string) => {
    const account = accounts.get(key);
    return account ? Math.max(0, account.failures - (now() - account.at) / oneMoreMs) : 0;
  };
  const set = (key: string, failures: number) => {
    // Behind all others: the first one is the one that was quiet for longest.
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
