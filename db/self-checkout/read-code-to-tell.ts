import type { EntityManager } from '@mikro-orm/postgresql';
import { emailKey } from '../../domain/staff.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** The recipient of a code's mail, and the other texts in it. */
export type CodeToTell = RowFrom<typeof selectCodeToTell>;

/**
 * The account for which a code was requested, read when the mail is sent. Reads only.
 *
 * @returns undefined for an unknown e-mail, and for a code that was replaced or used
 */
export const readCodeToTell = (
  em: EntityManager,
  { codeId, email }: { codeId: number; email: string },
): Promise<CodeToTell | undefined> => selectCodeToTell.first(em, { codeId, emailKey: emailKey(email) });

const selectCodeToTell = sql('read-code-to-tell.selectCodeToTell')`
  select c.email as to, coalesce(shop.value, v.name) as shop_name, v.locale,
    ceil(extract(epoch from o.expires_at - o.created_at))::bigint as ttl_seconds
  from pos_one_time_code o
  join customer c on c.website_id = o.website_id and lower(c.email) = $emailKey
  join store_view v on v.store_id = c.store_id
  left join lateral (
    select s.value from config_value s
    where s.path = 'general/store_information/name' and s.value <> '' and (s.scope = 'default'
      or (s.scope = 'stores' and s.scope_id = v.store_id) or (s.scope = 'websites' and s.scope_id = v.website_id))
    order by case s.scope when 'stores' then 0 when 'websites' then 1 else 2 end limit 1) shop on true
  where o.code_id = $codeId and o.consumed_at is null`;

/**
 * Deletes expired codes, at most so many, by the database's clock, with their mails (spec 3.5).
 *
 * Safe to repeat, and to run concurrently: runs skip each other's rows.
 *
 * @returns how many were deleted
 */
export const purgeOneTimeCodes = (em: EntityManager, { limit }: { limit: number }): Promise<number> =>
  purge.run(em, { limit });

const purge = sql('read-code-to-tell.purge')`
  delete from pos_one_time_code where code_id = any (array(
    select code_id from pos_one_time_code where expires_at <= now() order by expires_at limit $limit
    for update skip locked))`;
