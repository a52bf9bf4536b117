import { revokeTokens } from '../db/platform/access/revoke-tokens.ts';
import { Integration } from '../db/platform/access/integration.entity.ts';
import { notFound } from '../domain/errors.ts';
import { fine, type Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `token revoke`: ends every token of an integration at once, including those for signing. A repeat ends none.
 *
 * @param given the integration's name, or its id
 *
 * Refused with 404 when there is no such integration.
 */
export async function revokeToken({ em: connect, now }: CommandContext, given: string): Promise<Answer> {
  const em = await connect();
  const integration =
    (await em.findOne(Integration, { name: given })) ??
    (/^\d{1,9}$/.test(given) ? await em.findOne(Integration, { integrationId: Number(given) }) : null);
  if (!integration) throw notFound('No integration is known as %1.', [given]);
  const { integrationId, name } = integration;
  await revokeTokens(em, { userType: 'integration', userId: integrationId, now: now() });
  return fine(`Every token of ${name} is revoked.`, { integration_id: integrationId, name, revoked: true });
}
