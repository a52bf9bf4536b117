import type { EntityManager } from '@mikro-orm/postgresql';
import { canonicalResource } from '../../../domain/platform/access.ts';
import type { SecretBox } from '../../support/secret-box.ts';
import { joined, transact } from '../../support/transact.ts';
import { AccessToken, Integration } from './access.entity.ts';
import { issueToken } from './issue-token.ts';
import { digestOf, newKey } from './token-digest.ts';

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
async function saveIntegration(
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

/** The four values with which a client of the platform signs requests. */
export interface SigningValues {
  consumerKey: string;
  consumerSecret: string;
  accessToken: string;
  accessTokenSecret: string;
}

/** The purpose with which the secrets are sealed. */
export const oauthSecretsPurpose = 'oauth secrets';

/**
 * Gives a system the four values that it signs requests with (OAuth 1.0a, platform facts 1.1).
 *
 * A repeat with the same name replaces the integration's resources and issues four more values; earlier ones stay
 * valid.
 *
 * @returns the clear text, which cannot be read again
 */
export async function createSignedIntegration(
  em: EntityManager,
  { box, ...integration }: { name: string; resources: readonly string[]; box: SecretBox },
): Promise<SigningValues & { integrationId: number }> {
  return transact(em, async (tx) => {
    const integrationId = await saveIntegration(tx, integration);
    return addSigningValues(joined(tx), { integrationId, box });
  });
}

/** Four more values for an integration that is there; its rights, and whether it is active, stay. */
export async function addSigningValues(
  em: EntityManager,
  { integrationId, box }: { integrationId: number; box: SecretBox },
): Promise<SigningValues & { integrationId: number }> {
  return transact(em, async (tx) => {
    const [consumerKey, consumerSecret, accessToken, accessTokenSecret] = [newKey(), newKey(), newKey(), newKey()];
    await tx.insert(AccessToken, {
      digest: digestOf(accessToken),
      userType: 'integration',
      userId: integrationId,
      expiresAt: null,
      consumerKey,
      sealedSecrets: box.seal(JSON.stringify([consumerSecret, accessTokenSecret]), oauthSecretsPurpose),
    });
    return { integrationId, consumerKey, consumerSecret, accessToken, accessTokenSecret };
  });
}

/** The secrets of the consumer and of the token. */
export function openSecrets(sealed: string, box: SecretBox): readonly [consumer: string, token: string] {
  const secrets: unknown = JSON.parse(box.open(sealed, oauthSecretsPurpose));
  if (!Array.isArray(secrets)) throw new Error('sealed secrets are no list');
  return [String(secrets[0]), String(secrets[1])];
}
