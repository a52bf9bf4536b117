import { columnIn, countedLists, type CountedList } from '../../support/counted-list.ts';
import type { Invariant } from '../invariant.ts';

/** Totals of lists that are looked up, beside what they are totals of. */
export const growingCountInvariants: readonly Invariant[] = countedLists.map((list) => ({
  id: list.table === 'pos_audit_log' ? 'T-01' : 'T-02',
  sentence: `What is counted of ${list.table}, by every grain and size, is what there is up to the last key counted.`,
  needsQuiet: false,
  sql: wrongCounts(list),
}));

/** The rows are read once, added up by hours and everything, and these sums once more for each grain and size. */
function wrongCounts(list: CountedList): string {
  const { table, key, moment, counts, ids, words, grains } = list;
  const columns = [...ids, ...words].join(', ');
  const sums = grains.map(
    (grain) => `
      select '${grain.name}' as grain, s.size, date_trunc(s.size, f.bucket, 'UTC') as bucket,
        ${[...ids, ...words].map((column) => `${columnIn(grain, column, ids)} as ${column}`).join(', ')},
        sum(counted) as counted, min(least_key) as least_key, max(greatest_key) as greatest_key
      from fresh f, unnest(array[${grain.sizes.map((size) => `'${size}'`).join(', ')}]) as s (size)
      group by s.size, date_trunc(s.size, f.bucket, 'UTC'), ${grain.columns.join(', ')}`,
  );
  return `
    with fresh as materialized (
      select ${columns}, date_trunc('hour', ${moment}, 'UTC') as bucket, count(*) as counted,
        min(${key}) as least_key, max(${key}) as greatest_key
      from ${table}
      where ${key} <= (select up_to from pos_growing_count where counted_table = '${table}')
      group by ${columns}, date_trunc('hour', ${moment}, 'UTC')),
    real as (${sums.join(' union all ')})
    (select 'counted, and not so' as what, grain, size, bucket, ${columns}, counted, least_key, greatest_key
     from ${counts} c
     except all select 'counted, and not so', grain, size, bucket, ${columns}, counted, least_key, greatest_key from real)
    union all
    (select 'so, and not counted', grain, size, bucket, ${columns}, counted, least_key, greatest_key from real
     except all
     select 'so, and not counted', grain, size, bucket, ${columns}, counted, least_key, greatest_key from ${counts} c)
    limit 100`;
}
