import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createAdminUser } from '../../../db/platform/access/create-admin-user.ts';
import { issueToken } from '../../../db/platform/access/issue-token.ts';
import { everyResource } from '../../../domain/platform/access.ts';

/** The token of an administrator of its own, who may do everything. */
export async function anAdminToken(em: EntityManager): Promise<string> {
  const username = `editor-${randomBytes(8).toString('hex')}`;
  const userId = await createAdminUser(em, {
    ...{ username, firstName: 'Ada', lastName: 'Editor', email: `${username}@example.com` },
    ...{ passwordHash: 'no password fits', resources: [everyResource] },
  });
  return issueToken(em, { userType: 'admin', userId, expiresAt: null });
}
