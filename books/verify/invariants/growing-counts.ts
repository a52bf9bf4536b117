import { countedLists, type CountedList } from '../../../db/support/counted-list.ts';
import { countColumnsOf, grainCountsSql } from '../../../db/support/grain-counts-sql.ts';
import type { Invariant } from '../invariant.ts';

/** Stored totals of lists, compared with their rows. */
export const growingCountInvariants: readonly Invariant[] = countedLists.map((list) => ({
  id: list.table === 'pos_audit_log' ? 'T-01' : 'T-02',
  sentence: `What is counted of ${list.table}, by every grain and size, is what there is up to the last key counted.`,
  needsQuiet: false,
  sql: wrongCounts(list),
}));

function wrongCounts(list: CountedList): string {
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
