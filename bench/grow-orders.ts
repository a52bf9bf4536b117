import { firstIds } from './shop.ts';

/** Separate id ranges, as in `firstIds`, for orders and their documents, beside those placed through the API. */
const firstOrder = firstIds.sales_order + 3_000_000;
const firstCustomer = 96_000_001;
const customerCount = 1_000;
const ordersAtOnce = 50_000;

/** Orders are a minute apart; the last one is old. */
const placedAt = (n: string) => `timestamptz '2024-01-01' + ${n} * interval '1 minute'`;
export const placedAtOf = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * 60_000);

/** Of a hundred orders: 70 complete, 15 closed, 10 in processing, 4 pending, 1 on hold. */
const statusOf = (n: string) => `case when ${n} % 100 < 70 then 'complete' when ${n} % 100 < 85 then 'closed'
  when ${n} % 100 < 95 then 'processing' when ${n} % 100 < 99 then 'pending' else 'holded' end`;
const stateOf = (n: string) => `case ${statusOf(n)} when 'pending' then 'new' else ${statusOf(n)} end`;

export interface OrdersInput {
  em: { execute: (sql: string) => Promise<unknown> };
  say: (line: string) => void;
}

/**
 * Writes orders from one number on, up to and excluding another. Each has two lines, an address, a payment with its
 * transaction, an invoice and a shipment; closed ones have a credit memo. Every third belongs to one of a thousand
 * customers.
 */
export async function growOrders({ em, say }: OrdersInput, from: number, to: number): Promise<void> {
  await em.execute(
    `insert into customer (id, website_id, store_id, group_id, email, firstname, lastname)
     select ${firstCustomer} + n, 1, 1, 1, 'list' || n || '@bench.example', 'Lise', 'List ' || n
     from generate_series(0, ${customerCount - 1}) n on conflict do nothing`,
  );
  for (let start = from; start < to; start += ordersAtOnce) {
    const end = Math.min(start + ordersAtOnce, to) - 1;
    for (const statement of statements) await em.execute(`${statement} from generate_series(${start}, ${end}) n`);
    const memos = `where n % 100 between 70 and 84`;
    await em.execute(`${memo} from generate_series(${start}, ${end}) n ${memos}`);
    say(`… ${end + 1} orders`);
  }
  await em.execute('vacuum analyze');
}

const times = `${placedAt('n')}, ${placedAt('n')} + interval '1 hour'`;

const memo = `
  insert into sales_creditmemo (entity_id, order_id, increment_id, store_id, state, grand_total, base_grand_total,
    created_at, updated_at)
  select ${firstOrder} + n, ${firstOrder} + n, 'M' || n, 1, 2, n % 500, n % 500, ${times}`;

const statements = [
  `insert into sales_order (entity_id, increment_id, state, status, protect_code, store_id, customer_id, customer_email,
     base_currency_code, order_currency_code, store_currency_code, global_currency_code, grand_total, base_grand_total,
     subtotal, base_subtotal, pos_sale_id, pos_layaway_status, pos_layaway_followed_at, created_at, updated_at)
   select ${firstOrder} + n, 'G' || n, ${stateOf('n')}, ${statusOf('n')}, 'G' || n, 1,
     case when n % 3 = 0 then ${firstCustomer} + n % ${customerCount} end, 'list' || n % 5000 || '@bench.example',
     'USD', 'USD', 'USD', 'USD', n % 500, n % 500, n % 500, n % 500, 'sale-' || n,
     case when n % 1000 = 0 then 'completed' end, now(), ${times}`,
  ...[0, 1].map(
    (line) => `insert into sales_order_item (item_id, order_id, sku, name, store_id, qty_ordered, price, base_price,
      row_total, base_row_total, created_at, updated_at)
    select ${firstOrder} + n * 2 + ${line}, ${firstOrder} + n, 'SKU-' || lpad((1 + n % 1000)::text, 5, '0'), 'Line', 1,
      1,
      n % 250, n % 250, n % 250, n % 250, ${times}`,
  ),
  `insert into sales_order_address (order_id, address_type, firstname, lastname, street, city, postcode, telephone,
     country_id)
   select ${firstOrder} + n, 'billing', 'Lise', 'List', '["1 Long Road"]', 'Austin', '78701', '555', 'US'`,
  `insert into sales_order_payment (entity_id, order_id, method) select ${firstOrder} + n, ${firstOrder} + n,
    'checkmo'`,
  `insert into sales_payment_transaction (transaction_id, order_id, payment_id, txn_id, txn_type, is_closed, created_at)
   select ${firstOrder} + n, ${firstOrder} + n, ${firstOrder} + n, 'txn-' || n, 'capture', true, ${placedAt('n')}`,
  `insert into sales_invoice (entity_id, order_id, increment_id, store_id, state, grand_total, base_grand_total,
     total_qty, created_at, updated_at)
   select ${firstOrder} + n, ${firstOrder} + n, 'I' || n, 1, case when n % 100 >= 95 then 1 else 2 end, n % 500,
     n % 500,
     2, ${times}`,
  `insert into sales_shipment (entity_id, order_id, increment_id, store_id, source_code, total_qty, created_at,
     updated_at)
   select ${firstOrder} + n, ${firstOrder} + n, 'S' || n, 1, 'floor', 2, ${times}`,
];

/** The id of the n-th of these orders, and of its invoice, shipment, memo and transaction. */
export const grownOrder = (n: number) => firstOrder + n;
export const grownCustomer = (n: number) => firstCustomer + (n % customerCount);
