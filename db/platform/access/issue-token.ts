import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../support/sql.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import { AccessToken, type UserType } from './access.entity.ts';
import { digestOf, newToken } from './token-digest.ts';

/**
 * Issues a bearer token and keeps its digest (platform facts 1.3).
 *
 * Each call issues one more; earlier tokens stay valid.
 *
 * @param expiresAt null: never
 * @returns the clear text, which cannot be read again
 */
export async function issueToken(
  em: EntityManager,
  { userType, userId, expiresAt }: { userType: UserType; userId: number; expiresAt: Date | null },
): Promise<string> {
  const token = newToken();
  await insertRows(em, [into(AccessToken, [{ digest: digestOf(token), userType, userId, expiresAt }])]);
  return token;
}

export interface CustomerSignIn {
  customerId: number;
  /** The hash against which the password was checked. */
  passwordHash: string;
  expiresAt: Date;
}

/**
 * Issues a token to a customer whose password was checked. A change of password waits for it and then revokes the
 * token; after an earlier change no token is issued.
 *
 * @returns undefined: the password has changed
 */
export async function issueCustomerToken(em: EntityManager, signIn: CustomerSignIn): Promise<string | undefined> {
  const token = newToken();
  return (await issue.run(em, { digest: digestOf(token), ...signIn })) > 0 ? token : undefined;
}

const issue = sql('issue-token.issue')`
  with same as (select id from customer where id = $customerId and password_hash = $passwordHash for share)
  insert into access_token (digest, user_type, user_id, expires_at)
  select $digest, 'customer', id, $expiresAt from same`;
