import type { EntityManager } from '@mikro-orm/postgresql';
import { addEntry } from '../db/store-credit/add-entry.ts';
import { money } from '../domain/money.ts';
import { firstIds } from './shop.ts';

/** A separate id range, as in `firstIds`. */
const firstCustomer = 95_000_001;
export const walletCount = 200;
const atOnce = 8;

/** A customer with store credit, by number. */
export const customerOf = (n: number) => firstCustomer + (n % walletCount);

/** Customers with a wallet each, large enough for every measurement. */
export async function makeWallets(em: EntityManager): Promise<void> {
  await em.execute(
    `insert into customer (id, website_id, store_id, group_id, email, firstname, lastname)
     select ${firstCustomer} + n, 1, 1, 1, 'grace' || n || '@bench.example', 'Grace', 'Green ' || n
     from generate_series(0, ${walletCount - 1}) n
     on conflict do nothing`,
  );
  const gift = { websiteId: 1, amount: money('1000000'), reason: 'a gift', source: null, actor: {} } as const;
  for (let at = 0; at < walletCount; at += atOnce) {
    const some = Array.from({ length: atOnce }, (_, n) => at + n);
    await Promise.all(
      some.map((n) =>
        addEntry(em, { ...gift, operation: 'credit', customerId: customerOf(n), idempotencyKey: `gift-${n}` }),
      ),
    );
  }
}

/** A separate kind: orders that were not placed through the API. */
const firstLayaway = firstIds.sales_order + 1_000_000;

/** The initial number of open layaways. */
export const layawayCount = 1_000;

/** A layaway by number; its total is 100 000 units, of which almost nothing is paid. */
export const layawayOf = (n: number) => firstLayaway + (n % layawayCount);

/** Open layaways without lines, from the n-th to the m-th, followed and far from expiring. */
export async function makeLayaways(em: EntityManager, from: number, to: number): Promise<void> {
  const zeroed = await em.execute<{ column: string }[]>(
    `select column_name as column from information_schema.columns
     where table_name = 'sales_order' and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER'`,
  );
  const input: Record<string, string> = {
    entity_id: `${firstLayaway} + n`,
    increment_id: `'L' || n`,
    state: `'pending_payment'`,
    status: `'pending_payment'`,
    protect_code: `'L' || n`,
    store_id: '1',
    base_currency_code: `'USD'`,
    order_currency_code: `'USD'`,
    store_currency_code: `'USD'`,
    global_currency_code: `'USD'`,
    grand_total: '100000',
    base_grand_total: '100000',
    pos_layaway_status: `'open'`,
    pos_layaway_balance_owed: '100000',
    pos_layaway_followed_at: 'now()',
    pos_layaway_expires_at: `now() + interval '30 days'`,
  };
  const missing = zeroed.map(({ column }) => column).filter((column) => !(column in input));
  if (missing.length > 0) throw new Error(`An order needs ${missing.join(', ')}.`);
  const columns = Object.entries(input);
  await em.execute(
    `insert into sales_order (${columns.map(([name]) => name).join(', ')})
     select ${columns.map(([, value]) => value).join(', ')} from generate_series(${from}, ${to - 1}) n`,
  );
  await em.execute(
    `insert into sales_order_payment (order_id, method)
     select ${firstLayaway} + n, 'checkmo' from generate_series(${from}, ${to - 1}) n`,
  );
  await em.execute('analyze sales_order');
}
