import type { EntityManager } from '@mikro-orm/postgresql';
import { keptLists, type KeptList } from './kept-count.ts';
import { count, surely, text } from './kinds.ts';
import { statement } from './statement.ts';

/** How many rows of a list are added up within a second; the rest waits for the next time. */
export const mostAtOnce = 50_000;

/**
 * Adds up the counts of a list: one row for each combination of values. Readers see the former rows or the new ones,
 * with the same sum. Of two concurrent runs one returns at once.
 *
 * @returns how many rows were added up
 */
export async function compactCounts(em: EntityManager, list: KeptList): Promise<number> {
  const added = await compact.first(em, { list });
  return added?.rows ?? 0;
}

/**
 * The same for every list, also for lists that are not read.
 * @returns how many rows were added up
 */
export async function compactAllCounts(em: EntityManager): Promise<number> {
  let rows = 0;
  for (const list of Object.keys(keptLists) as KeptList[]) rows += await compactCounts(em, list);
  return rows;
}

/** All that any list is counted by. */
const columns = `website_id, store_id, group_id, attribute_set_id, tax_class_id, visibility, type_id, website_ids, source_code,
  state, status`;

const compact = statement({
  takes: { list: text },
  gives: { rows: surely(count) },
  text: `
    with mine as materialized (
      select pg_try_advisory_xact_lock(hashtextextended('counts of ' || $list, 0)) as is_mine
    ), gone as (
      delete from pos_list_count
      where (select is_mine from mine) and list_count_id in (
        select list_count_id from pos_list_count where list = $list order by list_count_id limit ${mostAtOnce})
      returning ${columns}, counted
    ), kept as (
      insert into pos_list_count (list, ${columns}, counted)
      select $list, ${columns}, sum(counted)
      from gone
      group by ${columns}
      having sum(counted) <> 0
    )
    select count(*) as rows from gone`,
});
