import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, json, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { AccessToken } from './access-token.entity.ts';
import { Integration } from './integration.entity.ts';

/** The integration of a consumer key, with the secrets for checking its signatures. */
export type Signer = RowFrom<typeof byKey>;

export const findSigner = (em: EntityManager, consumerKey: string): Promise<Signer | undefined> =>
  byKey.first(em, { consumerKey });

const byKey = statement({
  takes: { consumerKey: text },
  gives: {
    ...of(AccessToken, 'digest', 'sealedSecrets', 'revokedAt'),
    ...of(Integration, 'name', 'isActive'),
    tokenId: integer,
    integrationId: integer,
    resources: json<string[]>(),
  },
  text: `
    select t.token_id, t.digest, t.sealed_secrets, t.revoked_at,
      i.integration_id, i.name, i.is_active, i.resources
    from access_token t join integration i on i.integration_id = t.user_id
    where t.consumer_key = $consumerKey and t.user_type = 'integration'`,
});
