import { createIntegrationToken } from '../db/platform/access/create-integration-token.ts';
import { invalid } from '../domain/errors.ts';
import { fine, type Answer } from './support/answer.ts';
import { resourcesOf } from './support/resources.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `token create`: a bearer token for an integration. Shown once; the database keeps its digest.
 *
 * A repeat with the same name sets the resources again and gives one more token.
 *
 * Refused with 400 when a resource is not written as `Vendor_Pos::locations` or no route asks for it, or without a name.
 */
export async function createToken(
  { em }: CommandContext,
  { name, acl }: { name: string; acl: string },
): Promise<Answer> {
  if (name.trim() === '') throw invalid('An integration needs a name.');
  const resources = resourcesOf(acl);
  const { integrationId, token } = await createIntegrationToken(await em(), { name, resources });
  return fine(token, { integration_id: integrationId, name, resources, token });
}
