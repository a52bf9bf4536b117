import type { EntityManager } from '@mikro-orm/postgresql';
import { json } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** Everything the server knows for checking a draft. */
export type DraftGround = RowFrom<typeof selectDraftGround>;

export interface GroundQuestion {
  /** The request's website; 0: it named none. Settings are those of this website, or of the default scope. */
  websiteId: number;
  /** The store view of the call; 0 in the scope `all`. */
  currentStoreId: number;
  /** 0: none named. */
  locationId: number;
  email: string;
  /** The edited account, whose own e-mail is not a duplicate; 0: none. */
  customerId: number;
  settingPaths: readonly string[];
}

/**
 * Reads what a draft is checked against, in one read (spec 4.5): the location, the settings, the store view of the
 * account, and whether its website has an account with this e-mail.
 *
 * `storeId` is null for an unknown website; the location's columns are null without a location.
 */
export async function readDraftGround(em: EntityManager, request: GroundQuestion): Promise<DraftGround> {
  const ground = await selectDraftGround.first(em, request);
  if (!ground) throw new Error('a row that is always there is missing');
  return ground;
}

const selectDraftGround = sql('read-draft-ground.selectDraftGround', {
  gives: { settings: json<Record<string, string | null>>() },
})`
  select s.store_id, s.website_id, l.location_id, l.website_id as location_website_id, l.customer_validators,
    l.country_id,
    (select coalesce(jsonb_object_agg(c.path, c.value), '{}') from (
       select distinct on (path) path, value from config_value
       where path = any($settingPaths) and not is_encrypted
         and (scope = 'default' or (scope = 'websites' and scope_id = $websiteId))
       order by path, scope = 'websites' desc
     ) c) as settings,
    (select c.id from customer c where c.website_id = s.website_id and lower(c.email) = lower($email)
       and c.id <> $customerId limit 1) as taken_by
  from (select 1) always
  left join lateral (
    select v.store_id, v.website_id
    from store_view v join website w on w.website_id = v.website_id
      left join store_group g on g.group_id = w.default_group_id
    where v.store_id > 0 and case when $websiteId::bigint <> 0 then v.website_id = $websiteId
      when $currentStoreId::bigint > 0 then v.store_id = $currentStoreId else true end
    order by w.is_default desc, w.website_id, (g.default_store_id is not distinct from v.store_id) desc, v.sort_order,
      v.store_id
    limit 1
  ) s on true
  left join pos_location l on l.location_id = $locationId`;
