import { skuKeyOf } from '../../../db/support/columns.ts';
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

/** A day, as attributes keep it. */
const isDay = (value: string) => `${value} ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])( |$)'`;

/** Goods and their prices. */
export const catalogInvariants: readonly Invariant[] = [
  {
    id: 'U-01',
    sentence: 'No two products have SKUs that differ only in the case or the composition of their letters.',
    needsQuiet: false,
    sql: `
      select ${skuKeyOf('sku')} as sku_key, array_agg(sku order by entity_id) as skus,
        array_agg(entity_id order by entity_id) as product_ids
      from product group by 1 having count(*) > 1`,
  },
  {
    id: 'U-01b',
    sentence: 'A customer has one contract price from a quantity on, however the letters of the SKU are written.',
    needsQuiet: false,
    sql: `
      select customer_id, website_id, qty, array_agg(sku order by contract_price_id) as skus
      from pos_contract_price group by customer_id, website_id, qty, ${skuKeyOf('sku')} having count(*) > 1`,
  },
  {
    id: 'U-02',
    sentence: 'The first and the last day of a special price can be read.',
    needsQuiet: false,
    sql: `
      select p.entity_id as product_id, p.sku, d.key as attribute, d.value
      from product p cross join lateral (
        select p.custom_attributes as attributes
        union all select s.value -> 'customAttributes' from jsonb_each(p.scoped_values) s) a
      cross join lateral jsonb_each_text(case jsonb_typeof(a.attributes) when 'object' then a.attributes else '{}'
        end) d
      where d.key in ('special_from_date', 'special_to_date') and d.value <> '' and not ${isDay('d.value')}`,
  },
];

/** Carts and the orders they became. */
export const cartInvariants: readonly Invariant[] = [
  {
    id: 'C-01',
    sentence: 'A cart is active until it has an order, and never again.',
    needsQuiet: false,
    sql: `select quote_id, customer_id, is_active, order_id from quote where is_active <> (order_id is null)`,
  },
  {
    id: 'C-02',
    sentence: 'An order of a cart has that one cart, of the same customer.',
    needsQuiet: false,
    sql: `
      select q.order_id, array_agg(q.quote_id) as carts, o.quote_id, o.customer_id
      from quote q join sales_order o on o.entity_id = q.order_id
      group by q.order_id, o.quote_id, o.customer_id
      having count(*) > 1 or min(q.quote_id) is distinct from o.quote_id or min(q.customer_id) is distinct
        from o.customer_id`,
  },
  {
    id: 'C-03',
    sentence: 'A customer has one active cart on a website.',
    needsQuiet: false,
    sql: `
      select customer_id, website_id, count(*) as carts
      from quote where is_active and customer_id is not null group by customer_id, website_id having count(*) > 1`,
  },
];
