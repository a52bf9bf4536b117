import type { EntityManager } from '@mikro-orm/postgresql';
import { readPrepared } from '../../support/read-prepared.ts';
import type { UserType } from './access-token.entity.ts';
import { digestOf } from './token-digest.ts';

/** Who a valid token speaks for, and what that user may do. */
export interface TokenHolder {
  userType: UserType;
  userId: number;
  name: string;
  resources: readonly string[];
  /** Of a customer: the website the account belongs to. */
  websiteId: number | null;
}

/** One indexed look-up on every request; nothing is cached, so that a revoked token ends at once. */
const holderOfDigest = {
  name: 'token_holder',
  text: `
select t.user_type, t.user_id, coalesce(i.name, a.username, c.firstname || ' ' || c.lastname) as name,
  coalesce(i.resources, a.resources, '[]'::jsonb) as resources, c.website_id
from access_token t
left join integration i on t.user_type = 'integration' and i.integration_id = t.user_id and i.is_active
left join admin_user a on t.user_type = 'admin' and a.user_id = t.user_id and a.is_active
left join customer c on t.user_type = 'customer' and c.id = t.user_id
where t.digest = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $2)
  and coalesce(i.integration_id, a.user_id, c.id) is not null`,
};

interface Row {
  user_type: UserType;
  user_id: number;
  name: string;
  resources: string[];
  website_id: number | null;
}

/** Undefined for a token that is unknown, revoked or expired, or whose user is gone or inactive (platform facts 1.1). */
export async function findTokenHolder(em: EntityManager, token: string, now: Date): Promise<TokenHolder | undefined> {
  const [row] = await readPrepared<Row>(em, holderOfDigest, [digestOf(token), now]);
  return (
    row && {
      userType: row.user_type,
      userId: row.user_id,
      name: row.name,
      resources: row.resources,
      websiteId: row.website_id,
    }
  );
}
