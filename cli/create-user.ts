import { randomBytes } from 'node:crypto';
import { createAdminUser } from '../db/platform/access/create-admin-user.ts';
import { AdminUser } from '../db/platform/access/admin-user.entity.ts';
import { invalid } from '../domain/errors.ts';
import { createPasswordHasher } from '../providers/password-hasher.ts';
import { fine, type Answer } from './support/answer.ts';
import { resourcesOf } from './support/resources.ts';
import type { Surroundings } from './support/surroundings.ts';

export interface NewUser {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  acl: string;
}

const emailPattern = /^[^\s@]+@[^\s@]+$/;

/** 120 random bits: too many to guess, short enough to type. */
const passwordBytes = 15;

/**
 * `user create`: a platform administrator. The password is `POS_USER_PASSWORD`, so that it is not in the shell's
 * history. Without it, or where it is empty, a password is generated and shown once.
 *
 * Refused with 400 when the user name is taken, for an invalid resource, name or address.
 */
export async function createUser({ em: connect, settings }: Surroundings, user: NewUser): Promise<Answer> {
  const { username, email, firstName, lastName } = user;
  if (username.trim() === '') throw invalid('A user needs a name to sign in with.');
  if (!emailPattern.test(email)) throw invalid('"%1" is not an e-mail address.', [email]);
  const em = await connect();
  const resources = resourcesOf(user.acl);
  if (await em.count(AdminUser, { $or: [{ username }, { email }] })) {
    throw invalid('There is a user %1, or one with the address %2, already.', [username, email]);
  }
  const chosen = settings.POS_USER_PASSWORD;
  const password = chosen ?? randomBytes(passwordBytes).toString('base64url');
  const passwordHash = await hash(password);
  const userId = await createAdminUser(em, { username, email, firstName, lastName, passwordHash, resources });
  const told = chosen === undefined ? ` The password is ${password}; it is not shown again.` : '';
  return fine(`User ${username} was made.${told}`, {
    user_id: userId,
    username,
    ...(chosen === undefined ? { password } : {}),
  });
}

async function hash(password: string): Promise<string> {
  const hasher = createPasswordHasher();
  try {
    return await hasher.hash(password);
  } finally {
    await hasher.close();
  }
}
