import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AnyRoute } from '../../../api/http/route.ts';
import { listAuditLog } from '../../../api/audit/list-audit-log.ts';
import { searchCustomers } from '../../../api/platform/customers/search-customers.ts';
import { listProducts } from '../../../api/platform/products/list-products.ts';
import { listReceipts } from '../../../api/receipts/list-receipts.ts';
import { rmaRoutes } from '../../../api/returns/rmas/rma-routes.ts';
import { listTerminals } from '../../../api/terminals/list-terminals.ts';
import { readSearchCriteria } from '../../../api/wire/read-search-criteria.ts';
import { countBlocks } from '../../../bench/support/count-blocks.ts';
import { findHeldCarts } from '../../../db/held-carts/held-cart.repository.ts';
import { countGrowing } from '../../../db/support/count-growing.ts';
import { countedLists } from '../../../db/support/counted-list.ts';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

const sealedToken = createSecretBox(secretKey).seal('0'.repeat(64), 'receipt token');

const sizes = [500, 20_000] as const;
/** A shop has no more; their number is counted row by row. */
const mostTerminals = 2_000;
/** Deeper indexes, and the counts of a trail that is not long enough to be counted. */
const mostMoreBlocks = 100;

let api: TestApi;
let locationId: number;
const blocks = new Map<string, number[]>();
beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  ({ locationId } = await aShop(fork()));
  const { orderId } = await anOrder(fork(), {});
  for (const [at, size] of sizes.entries()) {
    await grow(at === 0 ? 1 : sizes[0] + 1, size, orderId);
    for (const { name, ask } of pages()) {
      const counted = await countBlocks(fork(), ask);
      blocks.set(name, [...(blocks.get(name) ?? []), counted.blocks]);
    }
  }
}, 300_000);
afterAll(() => api.close());

const { fork, write } = booksOf(() => api.orm);

/** Rows of every list, beside each other, as a shop of that size has them. */
async function grow(from: number, to: number, orderId: number): Promise<void> {
  const each = `from generate_series(${from}, ${to}) n`;
  const moment = `timestamptz '2024-01-01' + n * interval '1 minute'`;
  await write(
    `insert into pos_terminal (name, device_identifier, is_active) select 'Till ' || n, 'device-' || n, true ${each} where n <= ${mostTerminals}`,
  );
  await write(`
    insert into pos_receipt (pos_order_id, token_digest, sealed_token, location_id, terminal_id, order_increment_id, created_at)
    select n::text, n::text, '${sealedToken}', n % 20, n % 50, lpad(n::text, 9, '0'), ${moment} ${each}`);
  await write(`
    insert into pos_audit_log (entity_type, entity_id, field_name, change_source, staff_id, created_at)
    select 'Kind ' || n % 500, n, 'name', 'api', n % 300, ${moment} ${each}`);
  await write(`
    insert into product (sku, name, price, created_at, updated_at)
    select 'sku-' || n, 'Name ' || n, n % 5000, ${moment}, ${moment} ${each}`);
  await write(`
    insert into customer (website_id, store_id, group_id, email, firstname, lastname, created_at, updated_at)
    select 1, 1, 1, 'c' || n || '@list.example', 'F' || n, 'L' || n, ${moment}, ${moment} ${each}`);
  await write(`
    insert into sale_return (increment_id, order_id, status, created_at, updated_at)
    select 'R' || n, ${orderId}, 'pending', ${moment}, ${moment} ${each}`);
  await write(`
    insert into pos_held_cart (location_id, cart_uuid, cart_data, grand_total, item_count, currency_code)
    select ${locationId}, 'cart-' || n, '{}', 1, 1, 'USD' ${each}`);
  for (const list of countedLists) while (await countGrowing(fork(), list));
  await write('vacuum analyze');
}

const askedOf = (list: AnyRoute, field: string, direction: string) => (em: EntityManager) =>
  list.handle({
    em,
    reader: em,
    query: { searchCriteria: readSearchCriteria({ page_size: 20, sort_orders: [{ field, direction }] }) },
    settings: api.settings,
    caller: { can: () => true },
    store: { storeId: 1, websiteId: 1 },
  } as never);

const [listRmas] = rmaRoutes;
const sorted: [string, AnyRoute, string[]][] = [
  ['terminals', listTerminals, ['terminal_id', 'name']],
  ['receipts', listReceipts, ['receipt_id', 'created_at']],
  ['lines of the audit trail', listAuditLog, ['log_id', 'created_at']],
  ['products', listProducts, ['entity_id', 'sku', 'name', 'price', 'created_at', 'updated_at']],
  ['customers', searchCustomers, ['entity_id', 'email', 'firstname', 'lastname', 'created_at', 'updated_at']],
  ['returns', listRmas!, ['entity_id', 'increment_id', 'date_requested']],
];

const pages = () => [
  ...sorted.flatMap(([name, list, fields]) =>
    fields.flatMap((field) =>
      ['ASC', 'DESC'].map((direction) => ({
        name: `${name} by ${field} ${direction}`,
        ask: askedOf(list, field, direction),
      })),
    ),
  ),
  {
    name: 'carts held at a location',
    ask: (em: EntityManager) => findHeldCarts(em, { locationId, pageSize: 20 }),
  },
];

test('a page of a list looks at as few blocks in a shop with 20,000 of everything as in one with 500', () => {
  const grown = [...blocks].filter(([, [few = 0, many = Infinity]]) => many > few + mostMoreBlocks);
  expect(blocks.size).toBe(43);
  expect(grown).toEqual([]);
});
