import { countedLists, type CountedList } from '../../../db/support/counted-list.ts';
import { countColumnsOf, grainCountsSql, storedLists } from '../../../db/support/kept-count.ts';
import type { Invariant } from '../invariant.ts';

/** Totals that triggers maintain, compared with their rows. */
export const storedCountInvariants: readonly Invariant[] = [
  {
    id: 'T-03',
    sentence: 'What is counted of each list, by every combination of values, is what there is.',
    needsQuiet: false,
    sql: `${Object.entries(storedLists)
      .map(([list, columns]) => wrongCounts(list, Object.keys(columns)))
      .join('\n union all ')}
      limit 100`,
  },
];

function wrongCounts(list: string, columns: readonly string[]): string {
  const values = `concat_ws(', ', ${[`''`, ...columns.map((column) => `coalesce(${column}::text, '-')`)].join(', ')})`;
  return `(select '${list}' as list, values, sum(counted) filter (where is_kept) as kept, sum(counted) filter (where not is_kept) as real
    from (select ${values} as values, true as is_kept, counted from pos_list_count where list = '${list}'
      union all select ${values}, false, 1 from ${list}) both_counts
    group by values
    having coalesce(sum(counted) filter (where is_kept), 0) <> coalesce(sum(counted) filter (where not is_kept), 0))`;
}

/** Stored totals of lists, compared with their rows. */
export const growingCountInvariants: readonly Invariant[] = countedLists.map((list) => ({
  id: list.table === 'pos_audit_log' ? 'T-01' : 'T-02',
  sentence: `What is counted of ${list.table}, by every grain and size, is what there is up to the last key counted.`,
  needsQuiet: false,
  sql: growingCountsWrongCounts(list),
}));

function growingCountsWrongCounts(list: CountedList): string {
  const counted = `${list.key} <= (select up_to from pos_growing_count where counted_table = '${list.table}')`;
  const columns = countColumnsOf(list);
  return `
    with real as (${grainCountsSql(list, counted)})
    (select 'counted, and not so' as what, ${columns} from ${list.counts}
     except all select 'counted, and not so', ${columns} from real)
    union all
    (select 'so, and not counted', ${columns} from real
     except all select 'so, and not counted', ${columns} from ${list.counts})
    limit 100`;
}
