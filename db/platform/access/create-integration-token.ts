import type { EntityManager } from '@mikro-orm/postgresql';
import { canonicalResource } from '../../../domain/platform/access/acl.ts';
import { Integration } from './integration.entity.ts';
import { issueToken } from './issue-token.ts';

/**
 * Gives a system, such as a register, a bearer token that never expires (platform facts 1.1).
 *
 * A repeat with the same name replaces the integration's resources and issues one more token; earlier tokens stay
 * valid. Resources may be in either spelling.
 *
 * @returns the token in clear text, which cannot be read again
 */
export async function createIntegrationToken(
  em: EntityManager,
  { name, resources }: { name: string; resources: readonly string[] },
): Promise<{ integrationId: number; token: string }> {
  return em.transactional(async (inner) => {
    const integrationId = await saveIntegration(inner, { name, resources });
    const token = await issueToken(inner, { userType: 'integration', userId: integrationId, expiresAt: null });
    return { integrationId, token };
  });
}

/** Finds or creates an integration by its name, sets its resources and enables it. */
export async function saveIntegration(
  em: EntityManager,
  { name, resources }: { name: string; resources: readonly string[] },
): Promise<number> {
  const { integrationId } = await em.upsert(
    Integration,
    { name, resources: resources.map(canonicalResource), isActive: true },
    { onConflictFields: ['name'], onConflictMergeFields: ['resources', 'isActive'] },
  );
  return integrationId;
}
