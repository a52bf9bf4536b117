import { isMore, type Invariant } from '../invariant.ts';

/**
 * Money in and money out of an order, computed only from rows of money: payments, credits, legs, memos, attempts,
 * cancellations. The order's own totals are not used, because they may be wrong.
 */
const money = `
  select o.entity_id as order_id, o.increment_id, o.order_currency_code, o.base_currency_code,
         coalesce(i.paid, 0) as paid, coalesce(i.base_paid, 0) as base_paid,
         coalesce(i.credit, 0) as credit, coalesce(i.base_credit, 0) as base_credit,
         coalesce(l.amount, 0) as to_credit, coalesce(l.base_amount, 0) as base_to_credit,
         coalesce(m.amount, 0) - coalesce(l.with_memo, 0) - coalesce(a.booked, 0) as by_hand,
         coalesce(m.base_amount, 0) - coalesce(l.base_with_memo, 0) - coalesce(a.base_booked, 0) as base_by_hand,
         coalesce(c.refund, 0) as by_cancellation, coalesce(c.base_refund, 0) as base_by_cancellation,
         coalesce(a.amount, 0) as by_gateway, coalesce(a.base_amount, 0) as base_by_gateway,
         coalesce(r.amount, 0) as as_credit, coalesce(r.base_amount, 0) as base_as_credit
  from sales_order o
  left join (
    select order_id, sum(amount) filter (where kind <> 'credit') as paid,
      sum(amount) filter (where kind = 'credit') as credit,
           sum(base_amount) filter (where kind <> 'credit') as base_paid,
           sum(base_amount) filter (where kind = 'credit') as base_credit
    from sales_money_in group by order_id
  ) i on i.order_id = o.entity_id
  left join (
    select c.order_id, sum(r.amount) as amount, sum(r.base_amount) as base_amount,
           sum(r.amount) filter (where r.credit_memo_id is not null) as with_memo,
           sum(r.base_amount) filter (where r.credit_memo_id is not null) as base_with_memo
    from order_credit_return r join order_credit c on c.credit_id = r.credit_id
    where c.applies_as = 'tender' group by c.order_id
  ) l on l.order_id = o.entity_id
  left join (
    select order_id, sum(grand_total) as amount, sum(base_grand_total) as base_amount
    from sales_creditmemo where state <> 3 and figures_from <> 'save' group by order_id
  ) m on m.order_id = o.entity_id
  left join (
    select order_id, sum(amount) as amount, sum(base_amount) as base_amount,
           sum(amount) filter (where state = 'booked') as booked,
           sum(base_amount) filter (where state = 'booked') as base_booked
    from refund_attempt where state in ('started', 'uncertain', 'booked') group by order_id
  ) a on a.order_id = o.entity_id
  left join layaway_cancellation c on c.order_id = o.entity_id and c.credit_memo_id is null
  left join (
    select order_id, sum(amount) as amount, sum(base_amount) as base_amount
    from credit_refund where state <> 'failed' group by order_id
  ) r on r.order_id = o.entity_id
  where m.order_id is not null or a.order_id is not null or l.order_id is not null or r.order_id is not null
     or c.order_id is not null`;

const columns = `order_id, increment_id, paid, credit, to_credit, by_hand, by_cancellation, by_gateway, as_credit`;

/**
 * Posted figures may be finer than a coin, but money goes out in coins. So the comparison works as the memo's checks
 * do.
 */
export const moneyOutInvariants: readonly Invariant[] = [
  {
    id: 'I-10g',
    sentence:
      'The money that went out of an order, by memos, gateways and cancellations, is no more than came in as money.',
    needsQuiet: false,
    sql: `
      select ${columns} from (${money}) m
      where in_coins(by_hand + by_gateway + by_cancellation, order_currency_code) > in_coins(paid, order_currency_code)
         or in_coins(base_by_hand + base_by_gateway + base_by_cancellation, base_currency_code) > in_coins(base_paid,
           base_currency_code)`,
  },
  {
    id: 'I-10h',
    sentence: 'All that went out of an order, as money and to its credits, is no more than came in.',
    needsQuiet: false,
    sql: `
      select ${columns} from (${money}) m
      where in_coins(by_hand + by_gateway + by_cancellation + to_credit, order_currency_code) > in_coins(paid + credit,
        order_currency_code)
         or in_coins(base_by_hand + base_by_gateway + base_by_cancellation + base_to_credit, base_currency_code)
          > in_coins(base_paid + base_credit, base_currency_code)`,
  },
  {
    id: 'I-10i',
    sentence: 'A refund of an order that was handed out as credit was not given back by its gateway as well.',
    needsQuiet: false,
    sql: `
      select ${columns} from (${money}) m
      where in_coins(as_credit, order_currency_code) > greatest(in_coins(by_hand, order_currency_code), 0)
         or in_coins(base_as_credit, base_currency_code) > greatest(in_coins(base_by_hand, base_currency_code), 0)`,
  },
  {
    id: 'I-10j',
    sentence: 'No tender of an order gives back more than it paid: the legs of a credit are within the credit.',
    needsQuiet: false,
    sql: `
      select c.order_id, c.credit_id, c.kind, c.amount, sum(r.amount) as legs, c.base_amount,
        sum(r.base_amount) as base_legs
      from order_credit c join order_credit_return r on r.credit_id = c.credit_id
      join sales_order o on o.entity_id = c.order_id
      group by c.credit_id, o.order_currency_code, o.base_currency_code
      having ${isMore('sum(r.amount)', 'c.amount')}
          or ${isMore('sum(r.base_amount)', 'c.base_amount')}`,
  },
  {
    id: 'I-10k',
    sentence: 'What an order says went back without a memo is what its credits and its cancellation say.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.returned_without_memo, o.base_returned_without_memo,
             coalesce(l.amount, 0) as to_credit, coalesce(c.refund, 0) as by_cancellation
      from sales_order o
      left join (
        select c.order_id, sum(r.amount) as amount, sum(r.base_amount) as base_amount
        from order_credit_return r join order_credit c on c.credit_id = r.credit_id
        where c.applies_as = 'tender' and r.credit_memo_id is null group by c.order_id
      ) l on l.order_id = o.entity_id
      left join layaway_cancellation c on c.order_id = o.entity_id and c.credit_memo_id is null
      where o.returned_without_memo <> coalesce(l.amount, 0) + coalesce(c.refund, 0)
         or o.base_returned_without_memo <> coalesce(l.base_amount, 0) + coalesce(c.base_refund, 0)`,
  },
];

const due = (rest: string, currency: string) => `case
  when state in ('canceled', 'closed') or pos_layaway_status = 'cancelled' then 0
  else greatest(in_coins(${rest}, ${currency}), 0) end`;

/**
 * An order's money and quantities, compared with the rows they come from.
 *
 * An order may be posted with figures booked elsewhere, so its totals are compared with documents only where
 * documents exist.
 */
export const orderInvariants: readonly Invariant[] = [
  {
    id: 'I-04',
    sentence:
      'An order is never paid above its total. What is due is the rest, less what can never be collected; nothing of ' +
      'an order that is over.',
    needsQuiet: false,
    sql: `
      select entity_id as order_id, increment_id, grand_total, total_paid, total_due
      from sales_order
      where total_paid > grand_total or base_total_paid > base_grand_total
         or total_due is distinct from ${due('grand_total - total_paid - due_taken_off', 'order_currency_code')}
         or base_total_due is distinct
           from ${due('base_grand_total - base_total_paid - base_due_taken_off', 'base_currency_code')}`,
  },
  {
    id: 'I-04b',
    sentence: 'What was paid and what was refunded is a number, and not below zero.',
    needsQuiet: false,
    sql: `
      select entity_id as order_id, increment_id, total_paid, total_refunded
      from sales_order
      where not (total_paid between 0 and 1e15 and base_total_paid between 0 and 1e15
             and total_refunded between 0 and 1e15 and base_total_refunded between 0 and 1e15)`,
  },
  {
    id: 'I-05',
    sentence: 'The payments of an order add up to what it says was paid.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_paid, coalesce(m.amount, 0) as money_in,
             o.base_total_paid, coalesce(m.base_amount, 0) as base_money_in
      from sales_order o
      left join (
        select order_id, sum(amount) as amount, sum(base_amount) as base_amount from sales_money_in group by order_id
      ) m on m.order_id = o.entity_id
      where coalesce(m.amount, 0) <> o.total_paid or coalesce(m.base_amount, 0) <> o.base_total_paid`,
  },
  {
    id: 'I-05b',
    sentence: 'A payment reference that a register gave is booked once per order.',
    needsQuiet: false,
    sql: `
      select order_id, reference, count(*) as bookings
      from sales_money_in where reference is not null and kind in ('layaway_capture', 'credit_due')
      group by order_id, reference having count(*) > 1`,
  },
  {
    id: 'I-05c',
    sentence: 'A payment is above zero.',
    needsQuiet: false,
    // A rounding rest in one currency only is a cent there and zero in the other.
    sql: `
      select money_in_id, order_id, kind, amount, base_amount
      from sales_money_in
      where not (amount >= 0 and amount < 1e15 and base_amount >= 0 and base_amount < 1e15
        and amount + base_amount > 0)`,
  },
  {
    id: 'I-10',
    sentence: 'An order never gives back more than was paid for it, in neither currency.',
    needsQuiet: false,
    // A posted figure finer than a coin counts as the nearest coin.
    sql: `
      select entity_id as order_id, increment_id, base_total_paid, base_total_refunded, total_paid, total_refunded
      from sales_order
      where base_total_refunded > greatest(base_total_paid, in_coins(base_total_paid, base_currency_code))
         or total_refunded > greatest(total_paid, in_coins(total_paid, order_currency_code))`,
  },
  {
    id: 'O-01',
    sentence: 'A line is never invoiced, shipped, refunded or cancelled beyond what was ordered.',
    needsQuiet: false,
    sql: `
      select item_id as order_item_id, order_id, sku, qty_ordered, qty_invoiced, qty_shipped, qty_refunded, qty_canceled
      from sales_order_item
      where (qty_refunded > qty_invoiced and (qty_invoiced > 0 or qty_refunded > qty_ordered))
        or qty_invoiced + qty_canceled > qty_ordered or qty_shipped > qty_ordered
         or least(qty_invoiced, qty_shipped, qty_refunded, qty_canceled) < 0`,
  },
  {
    id: 'O-02',
    sentence: 'What a line says was shipped is what its shipments carry.',
    needsQuiet: false,
    sql: `
      select i.item_id as order_item_id, i.order_id, i.sku, i.qty_shipped, s.qty as in_shipments
      from sales_order_item i
      join (
        select order_item_id, sum(qty) as qty from sales_shipment_item group by order_item_id
      ) s on s.order_item_id = i.item_id
      where i.qty_shipped <> s.qty and i.parent_item_id is null`,
  },
  {
    id: 'O-03',
    sentence: 'Each human number names one document of a store.',
    needsQuiet: false,
    sql: `
      select 'order' as document, store_id, increment_id, count(*) as documents
      from sales_order group by store_id, increment_id having count(*) > 1
      union all
      select 'invoice', store_id, increment_id, count(*) from sales_invoice group by store_id, increment_id
        having count(*) > 1
      union all
      select 'credit memo', store_id, increment_id, count(*)
      from sales_creditmemo group by store_id, increment_id having count(*) > 1
      union all
      select 'shipment', store_id, increment_id, count(*) from sales_shipment group by store_id, increment_id
        having count(*) > 1
      union all
      select 'return', null, increment_id, count(*) from sale_return group by increment_id having count(*) > 1`,
  },
];
