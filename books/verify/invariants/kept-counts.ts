import { keptLists } from '../../../db/support/kept-count.ts';
import type { Invariant } from '../invariant.ts';

/** Totals that triggers maintain, compared with their rows. */
export const keptCountInvariants: readonly Invariant[] = [
  {
    id: 'T-03',
    sentence: 'What is counted of each list, by every combination of values, is what there is.',
    needsQuiet: false,
    sql: `${Object.entries(keptLists)
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
