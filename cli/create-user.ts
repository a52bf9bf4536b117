import { randomBytes } from 'node:crypto';
import { createAdminUser } from '../db/platform/access/create-admin-user.ts';
import { AdminUser } from '../db/platform/access/admin-user.entity.ts';
import { invalid } from '../domain/errors.ts';
import { createPasswordHasher } from '../providers/password-hasher.ts';
import { fine, type Answer } from './support/answer.ts';
import { readPassword } from './support/read-password.ts';
import { resourcesOf } from './support/resources.ts';
import type { CommandContext } from './support/command-context.ts';

export interface NewUser {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  acl: string;
  /** The password is typed, or comes on the standard input. */
  askPassword?: boolean;
}

const emailPattern = /^[^\s@]+@[^\s@]+$/;

/** 120 random bits: too many to guess, short enough to type. */
const passwordBytes = 15;

/** The platform's own rule for administrators. */
const leastPassword = 7;

/**
 * `user create`: a platform administrator. With `--ask-password` the password is typed, or is the first line of the
 * standard input; else it is `POS_USER_PASSWORD`. So it stands in no shell history. Without either, or where that is empty,
 * one is made and shown once.
 *
 * Refused with 400 when the user name is taken, for what is no resource, no name or no address, a password that is short or
 * without a letter or a digit.
 */
export async function createUser(
  { em: connect, settings }: CommandContext,
  user: NewUser,
  askPassword = readPassword,
): Promise<Answer> {
  const { username, email, firstName, lastName } = user;
  if (username.trim() === '') throw invalid('A user needs a name to sign in with.');
  if (!emailPattern.test(email)) throw invalid('"%1" is not an e-mail address.', [email]);
  const chosen = user.askPassword === true ? await askPassword() : settings.POS_USER_PASSWORD;
  if (chosen !== undefined) refuseWeak(chosen);
  const em = await connect();
  const resources = resourcesOf(user.acl);
  if (await em.count(AdminUser, { $or: [{ username }, { email }] })) {
    throw invalid('There is a user %1, or one with the address %2, already.', [username, email]);
  }
  const password = chosen ?? randomBytes(passwordBytes).toString('base64url');
  const passwordHash = await hash(password);
  const userId = await createAdminUser(em, { username, email, firstName, lastName, passwordHash, resources });
  const passwordNote = chosen === undefined ? ` The password is ${password}; it is not shown again.` : '';
  return fine(`User ${username} was made.${passwordNote}`, {
    user_id: userId,
    username,
    ...(chosen === undefined ? { password } : {}),
  });
}

function refuseWeak(password: string): void {
  if (password.length < leastPassword || !/[a-z]/i.test(password) || !/\d/.test(password))
    throw invalid('A password needs at least %1 characters, letters and digits among them.', [leastPassword]);
}

async function hash(password: string): Promise<string> {
  const hasher = createPasswordHasher();
  try {
    return await hasher.hash(password);
  } finally {
    await hasher.close();
  }
}
