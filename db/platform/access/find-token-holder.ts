import type { EntityManager } from '@mikro-orm/postgresql';
import { gathered } from '../../support/gather.ts';
import { float, json, orNull, definite } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import { type UserType } from './access.entity.ts';
import { digestOf } from './token-digest.ts';
import { isUnnoted, noteTokenUse } from './token-life.ts';

/** The user of a valid token, and its rights. */
export interface TokenHolder {
  userType: UserType;
  userId: number;
  name: string;
  resources: readonly string[];
  /** For a customer: the website of the account. */
  websiteId: number | null;
}

/**
 * One index look-up on every request, without a cache, so that a revoked token ends at once. Concurrent requests
 * share one statement.
 */
const holdersOf = sql('find-token-holder.holdersOf', {
  answerWithinMs: 3_000,
  gives: { resources: definite(json<string[]>()), expiresAtMs: orNull(float) },
})`
  select t.digest, t.user_type, t.user_id, coalesce(i.name, a.username, c.firstname || ' ' || c.lastname) as name,
    coalesce(i.resources, a.resources, '[]'::jsonb) as resources, c.website_id,
    extract(epoch from t.expires_at)::double precision * 1000 as expires_at_ms,
    ${isUnnoted} as is_unnoted
  from access_token t
  left join integration i on t.user_type = 'integration' and i.integration_id = t.user_id and i.is_active
  left join admin_user a on t.user_type = 'admin' and a.user_id = t.user_id and a.is_active
  left join customer c on t.user_type = 'customer' and c.id = t.user_id
  where t.digest = any($digests::text[]) and t.revoked_at is null and t.consumer_key is null
    and coalesce(i.integration_id, a.user_id, c.id) is not null`;

interface Known {
  holder: TokenHolder;
  expiresAtMs: number;
  isUnnoted: boolean;
}

const lookUp = gathered<string, Known | undefined>({
  atMost: 256,
  async ask(em, digests) {
    const rows = await holdersOf.all(em, { digests: [...new Set(digests)] });
    const known = new Map(
      rows.map(({ digest, expiresAtMs, isUnnoted: isNew, ...holder }) => {
        return [digest, { holder, expiresAtMs: expiresAtMs ?? Infinity, isUnnoted: isNew }] as const;
      }),
    );
    return digests.map((digest) => known.get(digest));
  },
});

/**
 * Undefined for a token that is unknown, revoked or expired, or whose user is deleted or inactive (platform facts
 * 1.1).
 */
export async function findTokenHolder(em: EntityManager, token: string, now: Date): Promise<TokenHolder | undefined> {
  const digest = digestOf(token);
  const known = await lookUp(em, digest);
  if (!known || known.expiresAtMs <= now.getTime()) return undefined;
  if (known.isUnnoted) noteTokenUse(em, digest);
  return known.holder;
}
