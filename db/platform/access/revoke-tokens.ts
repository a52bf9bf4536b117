import type { EntityManager } from '@mikro-orm/postgresql';
import { AccessToken, type UserType } from './access-token.entity.ts';

/** Ends every token of one user at once; a repeat ends none. */
export async function revokeTokens(
  em: EntityManager,
  { userType, userId, now }: { userType: UserType; userId: number; now: Date },
): Promise<void> {
  await em.nativeUpdate(AccessToken, { userType, userId, revokedAt: null }, { revokedAt: now });
}
