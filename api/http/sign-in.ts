import type { EntityManager } from '@mikro-orm/postgresql';
import { issueCustomerToken, issueToken } from '../../db/platform/access/issue-token.ts';
import {
  forgetFailure,
  forgetFailures,
  mayTryPassword,
  nobodysName,
  type Credentials,
  type TokenRequester,
} from '../../db/platform/access/throttle-token-request.ts';
import { passwordEntryPoints, type PasswordEntryPoint } from '../../db/platform/access/access.entity.ts';
import { inLane } from '../../db/support/connections/lanes.ts';
import { missingField } from '../../domain/errors.ts';
import {
  accountNotConfirmed,
  morePermissionsNeeded,
  signInIncorrect,
  tooManySignIns,
  invalidInput,
} from '../../domain/refusals/platform.ts';
import type { PasswordHasher } from '../../providers/password-hasher.ts';
import { inTurn } from './in-turn.ts';
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
      if (failures + 1 > mostFailures) throw tooManySignIns();
      set(key, failures + 1);
    },
    forget(address) {
      const key = networkOf(address);
      set(key, failuresOf(key) - 1);
    },
  };
}

export interface SignIn {
  em: EntityManager;
  passwords: PasswordHasher;
  username: string;
  password: string;
  userType: 'admin' | 'customer';
  /** Where the password is checked: guesses at one entry point do not count at another. */
  entryPoint: PasswordEntryPoint;
  /** Undefined: an unknown name, or one that may not sign in. */
  find: () => Promise<Credentials | undefined>;
  now: Date;
  /** Of the client. */
  address: string;
}

const guessesAt = Object.fromEntries(
  passwordEntryPoints.map((entryPoint) => [entryPoint, createGuessLimit()]),
) as Record<PasswordEntryPoint, GuessLimit>;

/**
 * Turns a name and a password into a bearer token (platform facts 1.3). Refused as `recognise`, and when a customer's
 * password changes meanwhile.
 */
export async function signIn({ lifetimeSeconds, ...request }: SignIn & { lifetimeSeconds: number }): Promise<string> {
  const { em, now, userType } = request;
  const { userId, passwordHash } = await recognise(request);
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1_000);
  if (userType === 'admin') return inLane('sign-in', () => issueToken(em, { userType, userId, expiresAt }));
  const known = { customerId: userId, passwordHash: passwordHash ?? '' };
  const token = await inLane('sign-in', () => issueCustomerToken(em, { ...known, expiresAt }));
  if (token === undefined) throw signInRefused();
  return token;
}

/**
 * Checks a name and a password.
 *
 * Unknown and locked names take the same time as known ones. Six failures lock the name for half an hour, even when
 * concurrent; the right password resets the count.
 *
 * Refused with: 400 an empty field · 401 wrong, unknown, inactive or locked, all in the same words · 401 no role ·
 * 401 an account that is not confirmed · 503 too many failures from that address, or too many at once, which does not
 * count as a guess.
 */
export async function recognise(request: SignIn): Promise<Credentials> {
  const { username, password, userType, entryPoint } = request;
  const missing = Object.entries({ username, password }).filter(([, value]) => value === '');
  if (missing.length > 0) throw invalidInput(missing.map(([fieldName]) => missingField(fieldName)));
  const guesses = guessesAt[entryPoint];
  guesses.count(request.address);
  const user = await inTurn(`${entryPoint} ${userType} ${username.toLowerCase()}`, () =>
    inLane('sign-in', () => checkPassword(request)),
  );
  guesses.forget(request.address);
  return user;
}

async function checkPassword(request: SignIn): Promise<Credentials> {
  const { em, passwords, username, password, userType, entryPoint, find, now } = request;
  const user = await find();
  const requester: TokenRequester = { userName: user ? username : nobodysName(username), userType, entryPoint };
  // In parallel, so that the time of the hash hides whether a row was written.
  const [isCounted, guess] = await Promise.allSettled([
    mayTryPassword(em, requester, now),
    passwords.verify(password, user?.passwordHash ?? null, 'anonymous'),
  ]);
  if (isCounted.status === 'rejected') throw isCounted.reason;
  if (guess.status === 'rejected') {
    if (isCounted.value) await forgetFailure(em, requester);
    throw guess.reason;
  }
  if (!isCounted.value || !guess.value || !user) throw signInRefused();
  await forgetFailures(em, requester);
  if (user.isAwaiting === true) throw accountNotConfirmed();
  if (userType === 'admin' && !user.hasRole) throw morePermissionsNeeded();
  return user;
}

/** 401, the same for every cause. */
export const signInRefused = () => signInIncorrect();
