import type { Invariant } from '../invariant.ts';

/**
 * An order's money and quantities, compared with the rows they come from.
 *
 * An order may be posted with figures booked elsewhere, so its totals are compared with documents only where
 * documents exist.
 */
export const orderInvariants: readonly Invariant[] = [
  {
    id: 'I-04',
    sentence: 'An order is never paid above its total, and what is due is the rest.',
    needsQuiet: false,
    sql: `
      select entity_id as order_id, increment_id, grand_total, total_paid, total_due
      from sales_order
      where total_paid > grand_total or base_total_paid > base_grand_total
         or total_due is distinct from greatest(in_coins(grand_total - total_paid, order_currency_code), 0)
         or base_total_due is distinct from greatest(in_coins(base_grand_total - base_total_paid, base_currency_code), 0)`,
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
      where not (amount >= 0 and amount < 1e15 and base_amount >= 0 and base_amount < 1e15 and amount + base_amount > 0)`,
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
      where (qty_refunded > qty_invoiced and (qty_invoiced > 0 or qty_refunded > qty_ordered)) or qty_invoiced + qty_canceled > qty_ordered or qty_shipped > qty_ordered
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
      select 'invoice', store_id, increment_id, count(*) from sales_invoice group by store_id, increment_id having count(*) > 1
      union all
      select 'credit memo', store_id, increment_id, count(*)
      from sales_creditmemo group by store_id, increment_id having count(*) > 1
      union all
      select 'shipment', store_id, increment_id, count(*) from sales_shipment group by store_id, increment_id having count(*) > 1
      union all
      select 'return', null, increment_id, count(*) from sale_return group by increment_id having count(*) > 1`,
  },
];
