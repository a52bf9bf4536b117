import type { EntityManager } from '@mikro-orm/postgresql';
import type { Credentials } from '../../db/platform/access/find-credentials.ts';
import { issueCustomerToken, issueToken } from '../../db/platform/access/issue-token.ts';
import {
  forgetFailure,
  forgetFailures,
  mayTryPassword,
  nobodysName,
  type TokenRequester,
} from '../../db/platform/access/throttle-token-request.ts';
import { inLane } from '../../db/support/connections/lanes.ts';
import { invalidInput, unauthorized } from '../../domain/errors.ts';
import { missingField } from '../../domain/platform/input-errors.ts';
import type { PasswordHasher } from '../../providers/password-hasher.ts';
import { inTurn } from './in-turn.ts';
import { createGuessLimit } from './guess-limit.ts';

export interface SignIn {
  em: EntityManager;
  passwords: PasswordHasher;
  username: string;
  password: string;
  userType: 'admin' | 'customer';
  /** Undefined: an unknown name, or one that may not sign in. */
  find: () => Promise<Credentials | undefined>;
  now: Date;
  /** Of the client. */
  address: string;
}

const guesses = createGuessLimit();

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
 * 401 an account that is not confirmed · 503 too many failures from that address, or too many at once, which does not count as a guess.
 */
export async function recognise(request: SignIn): Promise<Credentials> {
  const { username, password, userType } = request;
  const missing = Object.entries({ username, password }).filter(([, value]) => value === '');
  if (missing.length > 0) throw invalidInput(missing.map(([fieldName]) => missingField(fieldName)));
  guesses.count(request.address);
  const user = await inTurn(`${userType} ${username.toLowerCase()}`, () =>
    inLane('sign-in', () => checkPassword(request)),
  );
  guesses.forget(request.address);
  return user;
}

async function checkPassword({ em, passwords, username, password, userType, find, now }: SignIn): Promise<Credentials> {
  const user = await find();
  const requester: TokenRequester = { userName: user ? username : nobodysName(username), userType };
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
  if (user.isAwaiting === true) throw unauthorized("This account isn't confirmed. Verify and try again.");
  if (userType === 'admin' && !user.hasRole) throw unauthorized('More permissions are needed to access this.');
  return user;
}

/** 401, the same for every cause. */
export const signInRefused = () =>
  unauthorized(
    'The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.',
  );
