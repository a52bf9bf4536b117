import type { Invariant } from '../invariant.ts';

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
      having count(*) > 1 or min(q.quote_id) is distinct from o.quote_id or min(q.customer_id) is distinct from o.customer_id`,
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
