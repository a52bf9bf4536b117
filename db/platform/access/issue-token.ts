import type { EntityManager } from '@mikro-orm/postgresql';
import { AccessToken, type UserType } from './access-token.entity.ts';
import { digestOf, newToken } from './token-digest.ts';

/**
 * Issues a bearer token and keeps its digest (platform facts 1.3).
 *
 * Each call issues one more; earlier tokens stay valid.
 *
 * @param expiresAt null: never
 * @returns the clear text, which nobody can read again
 */
export async function issueToken(
  em: EntityManager,
  { userType, userId, expiresAt }: { userType: UserType; userId: number; expiresAt: Date | null },
): Promise<string> {
  const token = newToken();
  await em.insert(AccessToken, { digest: digestOf(token), userType, userId, expiresAt });
  return token;
}
