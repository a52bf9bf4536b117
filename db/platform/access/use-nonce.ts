import type { EntityManager } from '@mikro-orm/postgresql';
import { json } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { isUnnoted } from './token-life.ts';

/**
 * Stores the nonce of a request with a valid signature, in a separate statement.
 *
 * Each call deletes a few expired ones, so the table never exceeds the nonces of one window.
 *
 * @param input `keptForMs`: from now, by the database's clock; the caller's own may be another
 * @returns false when it was used before: a replayed request
 */
export const useNonce = async (
  em: EntityManager,
  input: { tokenId: number; nonce: string; keptForMs: number },
): Promise<boolean> => (await use.run(em, input)) > 0;

const use = sql('use-nonce.use')`
  with expired as (
    select token_id, nonce from oauth_nonce where expires_at < now() order by expires_at limit 4
      for update skip locked),
  swept as (
    delete from oauth_nonce n using expired e where n.token_id = e.token_id and n.nonce = e.nonce)
  insert into oauth_nonce (token_id, nonce, expires_at)
  values ($tokenId, $nonce, now() + make_interval(secs => $keptForMs::double precision / 1000))
  on conflict do nothing`;

/**
 * The integration of a consumer key, with the secrets for checking its signatures. Values that ended count as revoked.
 */
export type Signer = RowFrom<typeof byKey>;

export const findSigner = (em: EntityManager, consumerKey: string): Promise<Signer | undefined> =>
  byKey.first(em, { consumerKey });

const byKey = sql('use-nonce.byKey', { gives: { resources: json<string[]>() } })`
  select t.token_id, t.digest, t.sealed_secrets, ${isUnnoted} as is_unnoted,
    coalesce(t.revoked_at, case when t.expires_at <= now() then t.expires_at end) as revoked_at,
    i.integration_id, i.name, i.is_active, i.resources
  from access_token t join integration i on i.integration_id = t.user_id
  where t.consumer_key = $consumerKey and t.user_type = 'integration'`;
