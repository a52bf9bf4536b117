import type { Invariant } from '../invariant.ts';

/** Stock at sources, and its reservations. */
export const inventoryInvariants: readonly Invariant[] = [
  {
    id: 'I-19b',
    sentence: 'No source has a negative quantity.',
    needsQuiet: false,
    sql: `
      select sku, source_code, quantity from inventory_source_item where not (quantity between 0 and 1e10)`,
  },
  {
    id: 'Q-01',
    sentence:
      'An order that is finished, with nothing left to hand over, promises no goods: its reservations sum to zero.',
    needsQuiet: true,
    // Virtual goods are not handed over: their reservation ends with their invoice.
    sql: `
      select o.entity_id as order_id, o.increment_id, o.state, r.stock_id, r.sku, sum(r.quantity) as still_reserved
      from inventory_reservation r join sales_order o on o.entity_id = r.order_id
      where o.state in ('complete', 'closed', 'canceled')
        and not exists (
          select from sales_order_item i
          where i.order_id = o.entity_id and i.parent_item_id is null and not i.is_virtual
            and i.qty_ordered > greatest(i.qty_shipped, i.qty_refunded) + i.qty_canceled)
      group by o.entity_id, o.increment_id, o.state, r.stock_id, r.sku
      having sum(r.quantity) <> 0`,
  },
  {
    id: 'Q-02',
    sentence: 'An order never gives back more goods than it had reserved.',
    needsQuiet: false,
    sql: `
      select order_id, stock_id, sku, sum(quantity) as reserved
      from inventory_reservation group by order_id, stock_id, sku having sum(quantity) > 0`,
  },
];
