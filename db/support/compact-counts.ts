import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeptList } from './kept-count.ts';
import { text } from './kinds.ts';
import { statement } from './statement.ts';

/**
 * Adds up the counts of a list: one row for each combination of values. Its readers see the rows of before or those of
 * after, and the same sum. Two at once do it once: one of them leaves.
 */
export const compactCounts = (em: EntityManager, list: KeptList): Promise<number> => compact.run(em, { list });

const compact = statement({
  takes: { list: text },
  text: `
    with mine as materialized (
      select pg_try_advisory_xact_lock(hashtextextended('counts of ' || $list, 0)) as is_mine
    ), gone as (
      delete from pos_list_count where list = $list and (select is_mine from mine)
      returning website_id, store_id, group_id, attribute_set_id, visibility, type_id, source_code, state, status, counted
    )
    insert into pos_list_count (list, website_id, store_id, group_id, attribute_set_id, visibility, type_id, source_code,
      state, status, counted)
    select $list, website_id, store_id, group_id, attribute_set_id, visibility, type_id, source_code, state, status,
      sum(counted)
    from gone
    group by website_id, store_id, group_id, attribute_set_id, visibility, type_id, source_code, state, status
    having sum(counted) <> 0`,
});
