import { countedLists, type CountedList } from '../../../db/support/counted-list.ts';
import { countColumnsOf, grainCountsSql, storedLists } from '../../../db/support/kept-count.ts';
import { isMore, isOther, type Invariant } from '../invariant.ts';

/** A return counts against the returnable quantity unless it ended without goods and money. */
const counting = `status not in ('rejected', 'denied') and (status <> 'closed' or credit_memo_id is not null)`;

/** The lines that count: all except lines of a resolved return with neither a refund nor goods received. */
const countingLines = `sale_return_item i where not (
  exists (select from sale_return r where r.return_id = i.return_id and r.status = 'resolved' and r.credit_memo_id is null)
  and i.resolution_mode in ('refund', 'store_credit') and i.refund_method is null
  and not exists (select from sale_return_movement v where v.return_item_id = i.entity_id and v.kind = 'received'))`;

/** Returns, their lines and where the goods went. */
export const returnInvariants: readonly Invariant[] = [
  {
    id: 'I-06',
    sentence: 'A register sale has one return at most.',
    needsQuiet: false,
    sql: `
      select pos_sale_id, count(*) as returns
      from sale_return where pos_sale_id is not null group by pos_sale_id having count(*) > 1`,
  },
  {
    id: 'R-04',
    sentence:
      'The credit that paid and came back with a return, and what went back by the original tender add up to its refund.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, r.base_refund_total, l.base_legs, r.base_handback
      from sale_return r join sales_order o on o.entity_id = r.order_id
      cross join lateral (
        select coalesce(sum((leg ->> 'baseAmount')::numeric), 0) / 10000 as base_legs
        from jsonb_array_elements(r.refund_legs) leg where leg ->> 'appliesAs' is distinct from 'discount'
      ) l
      where (r.base_refund_total is null) <> (r.base_handback is null)
         or ${isOther('r.base_refund_total', 'r.base_handback + l.base_legs')}`,
  },
  {
    id: 'R-05',
    sentence: 'A settled return says the total of its credit memo.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, r.base_refund_total, m.base_grand_total
      from sale_return r join sales_creditmemo m on m.entity_id = r.credit_memo_id
      join sales_order o on o.entity_id = m.order_id
      where ${isOther('r.base_refund_total', 'm.base_grand_total')}`,
  },
  {
    id: 'I-18',
    sentence: 'No more of a line comes back than was ordered, all its returns together.',
    needsQuiet: false,
    sql: `
      select i.order_item_id, o.order_id, o.sku, o.qty_ordered, sum(i.qty_requested) as returned
      from (select * from sale_return where ${counting}) r
      join (select i.* from ${countingLines}) i on i.return_id = r.return_id
      join sales_order_item o on o.item_id = i.order_item_id
      group by i.order_item_id, o.order_id, o.sku, o.qty_ordered
      having sum(i.qty_requested) > o.qty_ordered`,
  },
  {
    id: 'I-18b',
    sentence: 'A return never asked for goods that a credit memo without a return had already given back.',
    needsQuiet: false,
    // A memo made after the return does not break the rule: the return's settlement is refused, and it stays parked.
    // A collapsed return was requested when its run began; its row is written at the end of the run. A run that
    // finishes an earlier return, or tries to, began after it.
    sql: `
      select r.return_id, r.increment_id, i.order_item_id, o.qty_ordered, before.returned, before.refunded
      from (select * from sale_return where ${counting}) r
      join (select i.* from ${countingLines}) i on i.return_id = r.return_id
      join sales_order_item o on o.item_id = i.order_item_id
      cross join lateral (
        select
          (select coalesce(sum(ei.qty_requested), 0)
           from (select * from sale_return where ${counting}) e
           join (select i.* from ${countingLines}) ei on ei.return_id = e.return_id
           where ei.order_item_id = i.order_item_id and e.return_id <= r.return_id) as returned,
          (select coalesce(sum(l.qty), 0)
           from sales_creditmemo_item l join sales_creditmemo m on m.entity_id = l.parent_id
           where l.order_item_id = i.order_item_id and m.state <> 3 and m.figures_from <> 'save' and m.created_at < least(
               (select min(p.created_at) from return_process p where p.return_id = r.return_id), r.created_at)
             and not exists (select from sale_return s where s.credit_memo_id = m.entity_id)) as refunded
      ) before
      where before.returned + before.refunded > o.qty_ordered`,
  },
  {
    id: 'I-18c',
    sentence: 'A return line names a line of the order the return is for.',
    needsQuiet: false,
    sql: `
      select i.entity_id as return_item_id, i.return_id, r.order_id, i.order_item_id
      from sale_return_item i
      join sale_return r on r.return_id = i.return_id
      join sales_order_item o on o.item_id = i.order_item_id
      where o.order_id <> r.order_id`,
  },
  {
    id: 'I-19',
    sentence: 'Returned goods are moved once per line and kind, and leave only what had come in, from where it went.',
    needsQuiet: false,
    sql: `
      select m.return_item_id, m.kind, count(*) as moves, sum(m.quantity) as moved, i.qty_requested
      from sale_return_movement m join sale_return_item i on i.entity_id = m.return_item_id
      group by m.return_item_id, m.kind, i.qty_requested
      having count(*) > 1 or sum(m.quantity) > i.qty_requested or min(m.quantity) < 0
          or (m.kind = 'closed' and sum(m.quantity) > (
            select coalesce(sum(quantity), 0) from sale_return_movement
            where return_item_id = m.return_item_id and kind = 'received'))
          or (m.kind = 'closed' and exists (
            select from sale_return_movement a join sale_return_movement b using (return_item_id)
            where a.return_item_id = m.return_item_id and a.kind = 'received' and b.kind = 'closed'
              and a.source_code is distinct from b.source_code))`,
  },
  {
    id: 'I-19c',
    sentence: 'A return closed without a refund has handed back each line it had taken in, and no other return has.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, r.status, m.return_item_id, m.took_in, m.handed_back
      from sale_return r
      join sale_return_item i on i.return_id = r.return_id
      join (
        select return_item_id, bool_or(kind = 'received') as took_in, bool_or(kind = 'closed') as handed_back
        from sale_return_movement group by return_item_id
      ) m on m.return_item_id = i.entity_id
      where m.handed_back <> (m.took_in and r.status = 'closed' and r.credit_memo_id is null)`,
  },
  {
    id: 'R-01',
    sentence: 'A return with a credit memo is over, the memo is of its order, and no other return has that memo.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, r.status, r.order_id, m.order_id as memo_of_order, m.entity_id as credit_memo_id
      from sale_return r join sales_creditmemo m on m.entity_id = r.credit_memo_id
      where m.order_id <> r.order_id or r.status not in ('resolved', 'closed', 'processed_closed')
         or exists (select from sale_return other where other.credit_memo_id = r.credit_memo_id and other.return_id <> r.return_id)`,
  },
  {
    id: 'R-02',
    sentence: 'A return that waits for its refund says how the money will go back.',
    needsQuiet: false,
    sql: `
      select return_id, increment_id, status, refund_method
      from sale_return where status = 'awaiting_refund' and refund_method is null`,
  },
  {
    id: 'R-03',
    sentence:
      'Every line of a resolved return carries a resolution, and one that moves no money names no refund method.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, i.entity_id as return_item_id, i.resolution_mode, i.refund_method
      from sale_return r join sale_return_item i on i.return_id = r.return_id
      where (r.status = 'resolved' and i.resolution_mode is null)
         or (i.resolution_mode in ('repair', 'dispose') and i.refund_method is not null)`,
  },
  {
    id: 'I-31c',
    sentence: 'A return that ended, or whose refund was cancelled, left a line of audit that says so.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, r.status
      from sale_return r
      where r.status in ('received', 'resolved', 'closed', 'processed_closed', 'rejected', 'denied')
        and not exists (
          select from pos_audit_log a
          where a.entity_type = 'return' and a.entity_id = r.return_id::text and a.field_name = 'status'
            and a.new_value = r.status)`,
  },
];

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

/** Collapsed returns: goods back and money back in one call. */
export const processInvariants: readonly Invariant[] = [
  {
    id: 'P-01',
    sentence: 'A collapsed return that is done has a credit memo of its order, alone, and its return has the same.',
    needsQuiet: false,
    sql: `
      select p.process_id, p.order_id, p.credit_memo_id, m.order_id as memo_of_order, r.credit_memo_id as memo_of_return
      from return_process p
      join sales_creditmemo m on m.entity_id = p.credit_memo_id
      left join sale_return r on r.return_id = p.return_id
      where m.order_id <> p.order_id or (p.return_id is not null and r.credit_memo_id is distinct from p.credit_memo_id)
         or exists (select from return_process o where o.credit_memo_id = p.credit_memo_id and o.process_id <> p.process_id)`,
  },
  {
    id: 'P-02',
    sentence: 'Store credit that a collapsed return issued is in the books of refunds to credit, once, to the cent.',
    needsQuiet: false,
    sql: `
      select p.process_id, p.store_credit_issued, coalesce(sum(c.amount), 0) as refunded_to_credit, count(c.*) as times
      from return_process p
      left join credit_refund c on c.order_id = p.order_id and c.request_key = 'process-' || p.credit_memo_id
        and c.state = 'booked'
      where p.credit_memo_id is not null
      group by p.process_id, p.store_credit_issued
      having p.store_credit_issued <> coalesce(sum(c.amount), 0) or count(c.*) > 1`,
  },
  {
    id: 'P-03',
    sentence: 'A run that did not go through says why, and so does the history of its order.',
    needsQuiet: false,
    sql: `
      select p.process_id, p.order_id, p.state, p.refusal ->> 'message' as message
      from return_process p
      where p.state in ('refused', 'failed', 'unattempted') and ((p.refusal is null) <> (p.state = 'unattempted') or not exists (
        select from sales_order_status_history h where h.parent_id = p.order_id and h.comment like 'A return%processed%'))`,
  },
];

/**
 * Our books compared with the gateway's; the queries read the tables `gateway_refund` and `gateway_call`. A posted figure
 * may be finer than a coin, and a gateway moves whole coins.
 */
export const gatewayInvariants: readonly Invariant[] = [
  {
    id: 'I-09',
    sentence: 'The gateway was called once per attempt, not more.',
    needsQuiet: false,
    sql: `
      select "merchantReference" as merchant_reference, count(*) as calls
      from gateway_call group by "merchantReference" having count(*) > 1`,
  },
  {
    id: 'I-09b',
    sentence: 'The gateway gave money back once per refund intent.',
    needsQuiet: false,
    sql: `
      select "idempotencyKey" as idempotency_key, count(*) as refunds, sum(amount) as amount
      from gateway_refund where state = 'refunded' group by "idempotencyKey" having count(*) > 1`,
  },
  {
    id: 'I-10d',
    sentence: 'The gateway gave back no more of a payment than was captured.',
    needsQuiet: false,
    sql: `
      select "paymentId" as payment_id, sum(amount) as refunded, max("capturedAmount") as captured
      from gateway_refund where state = 'refunded' and "paymentId" is not null
      group by "paymentId", currency having in_coins(sum(amount), currency) > in_coins(max("capturedAmount"), currency)`,
  },
  {
    id: 'I-10e',
    sentence: 'The gateway gave back no more for an order than was paid for it in money.',
    needsQuiet: true,
    sql: `
      select o.entity_id as order_id, o.increment_id, sum(g.amount) as refunded_by_gateway, o.total_paid, c.credit
      from gateway_refund g
      join (select distinct idempotency_key, order_id from refund_attempt) a on a.idempotency_key = g."idempotencyKey"
      join sales_order o on o.entity_id = a.order_id
      cross join lateral (
        select coalesce(sum(amount), 0) as credit from order_credit
        where order_id = o.entity_id and applies_as = 'tender'
      ) c
      where g.state = 'refunded'
      group by o.entity_id, o.increment_id, o.total_paid, o.order_currency_code, c.credit
      having ${isMore('sum(g.amount)', 'o.total_paid - c.credit')}`,
  },
  {
    id: 'I-11',
    sentence: 'What we booked as refunded for an order is what the gateway gave back, once nothing is undecided.',
    needsQuiet: true,
    sql: `
      select o.entity_id as order_id, o.increment_id, b.booked, coalesce(g.refunded, 0) as refunded_by_gateway
      from sales_order o
      join (
        select order_id, coalesce(sum(amount) filter (where state = 'booked'), 0) as booked
        from refund_attempt group by order_id having count(*) filter (where state in ('started', 'uncertain')) = 0
      ) b on b.order_id = o.entity_id
      left join (
        select a.order_id, sum(r.amount) as refunded
        from gateway_refund r
        join (select distinct idempotency_key, order_id from refund_attempt) a on a.idempotency_key = r."idempotencyKey"
        where r.state = 'refunded' group by a.order_id
      ) g on g.order_id = o.entity_id
      where ${isOther('b.booked', 'coalesce(g.refunded, 0)')}`,
  },
  {
    id: 'I-11b',
    sentence: 'The gateway gave nothing back that we did not ask for.',
    needsQuiet: true,
    sql: `
      select g."idempotencyKey" as idempotency_key, g.amount, g.currency, g."paymentId" as payment_id
      from gateway_refund g
      where g.state = 'refunded'
        and not exists (select from refund_attempt a where a.idempotency_key = g."idempotencyKey")`,
  },
];
