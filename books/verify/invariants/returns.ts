import { isOther, type Invariant } from '../invariant.ts';

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
      'The credit that paid and came back with a return, and what went back by the original tender add up to its ' +
      'refund.',
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
           where l.order_item_id = i.order_item_id and m.state <> 3 and m.figures_from <> 'save'
             and m.created_at < least(
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
    id: 'I-19d',
    sentence:
      'A movement of a return names the source whose stock it changed, takes in no more than was counted, and a close ' +
      'takes out no more than came in.',
    needsQuiet: false,
    sql: `
      select m.return_item_id, m.kind, m.sku, m.source_code, m.quantity, m.stock_change, m.origin_change
      from sale_return_movement m
      left join sale_return_movement r on r.return_item_id = m.return_item_id and r.kind = 'received'
      where m.source_code is null and m.stock_change <> 0
         or m.origin_source_code is null and m.origin_change <> 0
         or abs(m.stock_change) > m.quantity or abs(m.origin_change) > m.quantity or m.origin_change > 0
         or m.kind = 'received' and m.stock_change < 0
         or m.kind = 'closed' and (m.stock_change > 0 or m.origin_change <> 0
           or -m.stock_change > coalesce(r.stock_change, 0))`,
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
      select r.return_id, r.increment_id, r.status, r.order_id, m.order_id as memo_of_order,
        m.entity_id as credit_memo_id
      from sale_return r join sales_creditmemo m on m.entity_id = r.credit_memo_id
      where m.order_id <> r.order_id or r.status not in ('resolved', 'closed', 'processed_closed')
         or exists (select from sale_return other where other.credit_memo_id = r.credit_memo_id
           and other.return_id <> r.return_id)`,
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
