import type { EntityManager } from '@mikro-orm/postgresql';
import { moment } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/**
 * Moves every website's prices to its present day, and lists all products for recalculation where a day has begun
 * (platform facts 9.3). A repeat on the same day changes nothing. A new website starts here, even without rules, so
 * that its registers have an `indexed_at`. That time moves on every day, because yesterday's copy is outdated even
 * where no row changed.
 */
export const openIndexDay = (em: EntityManager, now: Date): Promise<number> => openDay.run(em, { now });

const openDay = statement({
  takes: { now: moment },
  text: `
    with moved as (
      insert into catalog_rule_index as i (website_id, day, indexed_at)
      select website_id, ($now::timestamptz at time zone time_zone)::date, date_trunc('milliseconds', $now::timestamptz)
      from website where website_id > 0
      order by website_id
      on conflict (website_id) do update set day = excluded.day,
          indexed_at = greatest(date_trunc('milliseconds', $now::timestamptz), i.indexed_at + interval '1 millisecond')
        where i.day <> excluded.day
      returning 1)
    insert into catalog_rule_due (product_id) select null where exists (select from moved)`,
});
