import { createSignedIntegration, type SigningValues } from '../db/platform/access/create-signed-integration.ts';
import { invalid } from '../domain/errors.ts';
import { fine, columns, resourcesOf, type Answer, type CommandContext } from './support.ts';

/**
 * `integration create`: the four values that a client of the platform signs its requests with (OAuth 1.0a). Shown once;
 * the database keeps the secrets sealed.
 *
 * A repeat with the same name sets the resources again and gives four more values; `token revoke` ends all of them.
 *
 * Refused with 400 when a resource is not written as `Vendor_Pos::locations` or no route asks for it, or without a
 * name.
 */
export async function createIntegration(
  { em, secrets }: CommandContext,
  { name, acl }: { name: string; acl: string },
): Promise<Answer> {
  if (name.trim() === '') throw invalid('An integration needs a name.');
  const resources = resourcesOf(acl);
  const box = secrets();
  return signingValues(await createSignedIntegration(await em(), { name, resources, box }), { name, resources });
}

/** The four values, shown once. */
export function signingValues(
  {
    integrationId,
    consumerKey,
    consumerSecret,
    accessToken,
    accessTokenSecret,
  }: SigningValues & { integrationId: number },
  { name, resources }: { name: string; resources: readonly string[] },
): Answer {
  return fine(
    columns([
      ['consumer key', consumerKey],
      ['consumer secret', consumerSecret],
      ['access token', accessToken],
      ['access token secret', accessTokenSecret],
    ]),
    {
      integration_id: integrationId,
      name,
      resources,
      consumer_key: consumerKey,
      consumer_secret: consumerSecret,
      access_token: accessToken,
      access_token_secret: accessTokenSecret,
    },
  );
}
