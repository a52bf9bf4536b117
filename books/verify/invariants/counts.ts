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
    sentence:
      'Each document that moves money or credit has one movement, of its amount and at its time; a memo of several ' +
      'tenders has one for each.',
    needsQuiet: false,
    // What a memo gives back as credit is no money. An invoice is a movement only as far as the register took nothing
    // for it.
    sql: `
      with documents as (
        select 'memo' as source, m.entity_id::bigint as source_id, m.created_at as occurred_at,
          coalesce((select sum(b.amount) from order_credit_return b join order_credit c on c.credit_id = b.credit_id
            where b.credit_memo_id = m.entity_id and c.applies_as = 'tender'), 0) - m.grand_total as amount
        from sales_creditmemo m where m.figures_from <> 'save'
        union all select 'cancellation', order_id, created_at, -refund from layaway_cancellation
        where credit_memo_id is null
        union all select 'money_in', i.money_in_id, i.created_at, i.amount
        from sales_money_in i join sales_order o on o.entity_id = i.order_id
        where i.amount > 0 and (i.kind in ('layaway_capture', 'credit_due')
          or (i.kind = 'placement' and o.pos_layaway_followed_at is not null and exists (
            select from pos_movement m where m.source = 'money_in' and m.source_id = i.money_in_id)))
        union all select 'order_credit', credit_id, created_at, amount from order_credit where applies_as = 'tender'
        union all select 'credit_return', credit_return_id, created_at, amount from order_credit_return where amount > 0
        union all select 'credit_refund', refund_id, concluded_at, amount from credit_refund where state = 'booked'
        union all select 'wallet_entry', entry_id, created_at, delta from store_credit_entry
        where booking_key is null and delta > 0
        union all select 'card_entry', entry_id, created_at, delta from gift_card_entry
        where order_id is null and delta > 0
        union all select 'session_movement', session_movement_id, created_at,
          case kind when 'cash_in' then amount else -amount end from pos_session_movement where kind <> 'no_sale')
      select source, source_id, d.amount as document_amount, m.amount as moved, d.occurred_at as document_at,
        m.occurred_at as moved_at
      from documents d full join (select m.source, m.source_id, sum(m.amount) as amount, max(m.occurred_at) as occurred_at
          from pos_movement m
          left join sales_money_in i on m.source = 'money_in' and i.money_in_id = m.source_id
          left join sales_order o on o.entity_id = i.order_id
          where m.source not in ('receipt', 'incident')
            and not (m.source = 'money_in' and (i.kind = 'invoice' or (i.kind = 'placement'
              and o.pos_layaway_followed_at is null)))
          group by m.source, m.source_id) m
        using (source, source_id)
      where (d.amount, d.occurred_at) is distinct from (m.amount, m.occurred_at)
      limit 100`,
  },
  {
    id: 'T-05',
    sentence:
      'What registers took for an order is its total without its credit and what is due, for each order with a ' +
      'receipt of its total whose parts, where it names several, come to that.',
    needsQuiet: false,
    // Of parts in cash with change, and parts without figures, the receipt alone knows what was taken.
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_paid, t.taken, e.expected
      from pos_receipt r join sales_order o on o.pos_sale_id = r.pos_order_id
      cross join lateral (
        select coalesce(sum(amount), 0) as taken from pos_movement
        where order_id = o.entity_id and kind in ('sale', 'payment', 'deposit')) t
      cross join lateral (
        select coalesce(sum(amount), 0) as credit from order_credit
        where order_id = o.entity_id and applies_as = 'tender') c
      cross join lateral (
        select o.grand_total - c.credit - coalesce(o.pos_credit_due, 0) - o.due_taken_off as expected) e
      where r.sale_type is null and r.layaway_kind is null
        and r.order_increment_id = o.increment_id and o.pos_layaway_status is null
        and o.state not in ('canceled', 'closed') and r.grand_total = o.grand_total
        and upper(r.currency) = upper(o.order_currency_code)
        and (o.pos_credit_due is not null or o.total_paid = o.grand_total)
        and o.grand_total = in_coins(o.grand_total, o.order_currency_code)
        and t.taken <> e.expected
        and case when pos_rows_of(r.split_payments) = '[]' then r.payment_method is not null
          else (select sum(pos_figure(p ->> 'amount')) = e.expected and bool_and(pos_figure(p ->> 'amount') is not null)
              and count(*) <= 50 from jsonb_array_elements(pos_rows_of(r.split_payments)) p
            where c.credit = 0 or lower(coalesce(p ->> 'method', p ->> 'payment_method', p ->> 'code', ''))
              not in ('gift_card', 'store_credit', 'reward_points')) end
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
