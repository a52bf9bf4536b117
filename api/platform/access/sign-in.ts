import type { EntityManager } from '@mikro-orm/postgresql';
import type { Credentials } from '../../../db/platform/access/find-credentials.ts';
import { issueToken } from '../../../db/platform/access/issue-token.ts';
import {
  forgetFailures,
  mayTryPassword,
  type TokenRequester,
} from '../../../db/platform/access/throttle-token-request.ts';
import { invalidInput, unauthorized } from '../../../domain/errors.ts';
import type { PasswordHasher } from '../../../providers/password-hasher.ts';
import { inTurn } from '../../support/in-turn.ts';

export interface SignIn {
  em: EntityManager;
  passwords: PasswordHasher;
  username: string;
  password: string;
  userType: 'admin' | 'customer';
  /** Undefined: nobody of that name may sign in. */
  find: () => Promise<Credentials | undefined>;
  lifetimeSeconds: number;
  now: Date;
}

/**
 * Turns a name and a password into a bearer token (platform facts 1.3).
 *
 * Somebody unknown takes as long as somebody known. Six failures lock the name for half an hour, whatever happens at
 * once; the right password in time ends the count.
 *
 * Refused with: 400 an empty field · 401 wrong, unknown, inactive or locked, all in the same words · 401 no role.
 */
export async function signIn(request: SignIn): Promise<string> {
  const { username, password, userType } = request;
  const missing = Object.entries({ username, password }).filter(([, value]) => value === '');
  if (missing.length > 0)
    throw invalidInput(
      missing.map(([fieldName]) => ({
        message: '"%fieldName" is required. Enter and try again.',
        parameters: { fieldName },
      })),
    );
  return inTurn(`${userType} ${username.toLowerCase()}`, () => answer(request));
}

async function answer({ em, passwords, username, password, userType, find, lifetimeSeconds, now }: SignIn) {
  const requester: TokenRequester = { userName: username, userType };
  if (!(await mayTryPassword(em, requester, now))) throw refused();
  const user = await find();
  const fits = await passwords.verify(password, user?.passwordHash ?? null);
  if (!fits || !user) throw refused();
  await forgetFailures(em, requester);
  if (userType === 'admin' && !user.hasRole) throw unauthorized('More permissions are needed to access this.');
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1_000);
  return issueToken(em, { userType, userId: user.userId, expiresAt });
}

const refused = () =>
  unauthorized(
    'The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.',
  );
