import type { EntityManager } from '@mikro-orm/postgresql';
import { canonicalResource } from '../../../domain/platform/access.ts';
import { AdminUser } from './access.entity.ts';

export interface NewAdminUser {
  username: string;
  /** Made by the password hasher; the clear text is never passed here. */
  passwordHash: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Null: a user without a role, who gets no token. */
  resources: readonly string[] | null;
}

/** Adds a platform administrator. A repeat with the same user name changes nothing and answers the same id. */
export async function createAdminUser(em: EntityManager, user: NewAdminUser): Promise<number> {
  const resources = user.resources?.map(canonicalResource) ?? null;
  await em.upsert(AdminUser, { ...user, resources }, { onConflictFields: ['username'], onConflictAction: 'ignore' });
  const { userId } = await em.findOneOrFail(AdminUser, { username: user.username }, { fields: ['userId'] });
  return userId;
}
