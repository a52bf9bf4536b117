import { countedLists, type CountedList } from '../../../db/support/counted-list.ts';
import { countColumnsOf, grainCountsSql } from '../../../db/support/count-growing.ts';
import { storedLists, type Stored } from '../../../db/support/stored-count.ts';
import type { Invariant } from '../invariant.ts';

/** Totals that triggers maintain, compared with their rows. */
export const storedCountInvariants: readonly Invariant[] = [
  {
    id: 'T-03',
    sentence: 'What is counted of each list, by every combination of values, by day and by month, is what there is.',
    needsQuiet: false,
    sql: `${Object.entries(storedLists)
      .map(([list, stored]) => wrongCounts(list, stored))
      .join('\n union all ')}
      limit 100`,
  },
  {
    id: 'T-04',
    sentence: 'What the page Today has of money and credit that went out is what went out, at its time.',
    needsQuiet: false,
    sql: `
      with out as (
        select 'memo' as source, entity_id::bigint as source_id, created_at as occurred_at, grand_total as amount
        from sales_creditmemo where figures_from <> 'save'
        union all select 'credit_return', credit_return_id, created_at, amount from order_credit_return where amount > 0
        union all select 'credit_refund', refund_id, concluded_at, amount from credit_refund where state = 'booked'
        union all select 'wallet_entry', entry_id, created_at, delta from store_credit_entry
        where booking_key is null and delta > 0
        union all select 'card_entry', entry_id, created_at, delta from gift_card_entry
        where order_id is null and delta > 0)
      select source, source_id, out.amount as went_out, e.amount as told, out.occurred_at as went_out_at,
        e.occurred_at as told_at
      from out full join ops_day_entry e using (source, source_id)
      where (out.amount, out.occurred_at) is distinct from (e.amount, e.occurred_at)
      limit 100`,
  },
];

/** A trigger's rows belong to each size; a sum to its own. No counted row may have a lower key than its count says. */
function wrongCounts(list: string, { columns, moment, key, rows = list }: Stored): string {
  const values = `concat_ws(', ', ${[
    `''`,
    ...Object.keys(columns).map(
      (column) => `coalesce(${column}::text,
    '-')`,
    ),
  ].join(', ')})`;
  const day = moment === undefined ? 'null::date' : `(${moment} at time zone 'UTC')::date`;
  const sizes = `(values ('all')${moment === undefined ? '' : `, ('day'), ('month')`}) as s (of)`;
  const start = `case of when 'all' then null else date_trunc(of, day)::date end as start`;
  return `(select '${list}' as list, of, start, values, sum(counted) filter (where is_kept) as kept, sum(counted) filter
    (where not is_kept) as real
    from (
      select of, ${start}, ${values} as values, true as is_kept, counted, least_key
      from pos_list_count, ${sizes} where list = '${list}' and size in ('new', of)
      union all select of, ${start}, values, false, counted, least_key
      from (select ${day} as day, ${values} as values, count(*) as counted, min(${key ?? 'null::bigint'}) as least_key
        from ${rows} r group by 1, 2) found, ${sizes}
    ) both_counts
    group by of, start, values
    having coalesce(sum(counted) filter (where is_kept), 0) <> coalesce(sum(counted) filter (where not is_kept), 0)
      or min(least_key) filter (where is_kept) > min(least_key) filter (where not is_kept))`;
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
