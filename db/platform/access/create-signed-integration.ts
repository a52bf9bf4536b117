import type { EntityManager } from '@mikro-orm/postgresql';
import type { SecretBox } from '../../support/secret-box.ts';
import { transact } from '../../support/transact.ts';
import { AccessToken } from './access-token.entity.ts';
import { saveIntegration } from './create-integration-token.ts';
import { digestOf, newKey } from './token-digest.ts';

/** The four values with which a client of the platform signs requests. */
export interface SigningValues {
  consumerKey: string;
  consumerSecret: string;
  accessToken: string;
  accessTokenSecret: string;
}

/** The purpose with which the secrets are sealed. */
const sealedFor = 'oauth secrets';

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
    const [consumerKey, consumerSecret, accessToken, accessTokenSecret] = [newKey(), newKey(), newKey(), newKey()];
    await tx.insert(AccessToken, {
      digest: digestOf(accessToken),
      userType: 'integration',
      userId: integrationId,
      expiresAt: null,
      consumerKey,
      sealedSecrets: box.seal(JSON.stringify([consumerSecret, accessTokenSecret]), sealedFor),
    });
    return { integrationId, consumerKey, consumerSecret, accessToken, accessTokenSecret };
  });
}

/** The secrets of the consumer and of the token. */
export function openSecrets(sealed: string, box: SecretBox): readonly [consumer: string, token: string] {
  const secrets: unknown = JSON.parse(box.open(sealed, sealedFor));
  if (!Array.isArray(secrets)) throw new Error('sealed secrets are no list');
  return [String(secrets[0]), String(secrets[1])];
}
