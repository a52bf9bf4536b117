import type { EntityManager } from '@mikro-orm/postgresql';
import { AccessToken, type UserType } from './access.entity.ts';

/** Revokes every token of a user at once; a repeat revokes none. */
export async function revokeTokens(
  em: EntityManager,
  { userType, userId, now }: { userType: UserType; userId: number; now: Date },
): Promise<void> {
  await em.nativeUpdate(AccessToken, { userType, userId, revokedAt: null }, { revokedAt: now });
}
