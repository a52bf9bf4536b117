import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { growOrders, grownOrder } from '../../../bench/grow-orders.ts';
import { readSearchCriteria } from '../../../api/wire/read-search-criteria.ts';
import { searchProducts } from '../../../db/platform/catalog/search-products.ts';
import { searchOrders } from '../../../db/platform/orders/read-orders.ts';
import { searchSourceItems } from '../../../db/platform/inventory/search-inventory.ts';
import { compactAllCounts, compactCounts } from '../../../db/support/compact-counts.ts';
import { keptLists } from '../../../db/support/kept-count.ts';
import { keptCountInvariants } from '../../../books/verify/invariants/kept-counts.ts';
import { searchShipments } from '../../../db/platform/shipments/read-shipments.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await insert('website', {
    website_id: 1,
    code: 'base',
    name: 'Main',
    base_currency_code: 'USD',
    is_default: true,
    default_group_id: 1,
  });
  await insert('store_group', { group_id: 1, website_id: 1, code: 'main', name: 'Main', default_store_id: 1 });
  await insert('store_view', {
    store_id: 1,
    website_id: 1,
    store_group_id: 1,
    code: 'default',
    name: 'Default',
    currency_code: 'USD',
  });
  await insert('inventory_source', { source_code: 'floor', name: 'Floor', country_id: 'US' });
  await growOrders({ em: fork(), say: () => undefined }, 0, 200);
});
afterAll(() => orm.close());

const { fork, rows, write, insert } = booksOf(() => orm);
const wrong = async () => (await Promise.all(keptCountInvariants.map(({ sql }) => rows(sql)))).flat();

const ordersWith = async (...filters: readonly [field: string, value: string, condition?: string][]) => {
  const criteria = readSearchCriteria({
    page_size: 1,
    filter_groups: filters.map(([field, value, condition_type = 'eq']) => ({
      filters: [{ field, value, condition_type }],
    })),
  });
  return (await searchOrders(fork(), criteria)).totalCount;
};

test('what is counted is what there is, of every list that is kept', async () => {
  expect(await wrong()).toEqual([]);
  const lists = await rows<{ list: string }>('select distinct list from pos_list_count');
  expect(lists.map(({ list }) => list)).toEqual(expect.arrayContaining(['sales_order', 'sales_invoice', 'customer']));
  expect(lists.every(({ list }) => Object.hasOwn(keptLists, list))).toBe(true);
});

test('a total follows an order from status to status', async () => {
  const before = [await ordersWith(['status', 'pending']), await ordersWith(['status', 'PENDING'], ['state', 'new'])];
  await write(`update sales_order set status = 'processing', state = 'processing' where entity_id = ${grownOrder(95)}`);
  await write(`update sales_order set updated_at = now() where entity_id = ${grownOrder(96)}`);
  expect([await ordersWith(['status', 'pending']), await ordersWith(['status', 'pending'], ['state', 'new'])]).toEqual(
    before.map((count) => count - 1),
  );
  expect(await ordersWith(['status', 'pending,processing', 'in'])).toBe(28);
  expect(await wrong()).toEqual([]);
});

test('what is rolled back is not counted', async () => {
  const em = fork();
  await em.begin();
  await em.execute(`update sales_order set status = 'complete' where status = 'holded'`);
  await em.rollback();
  expect(await ordersWith(['status', 'holded'])).toBe(2);
});

test('eight tills change orders while eight readers add the counts up, and no total is ever wrong', async () => {
  const change = (n: number) =>
    write(`update sales_order set status = case status when 'complete' then 'closed' else 'complete' end
      where entity_id % 8 = ${n} and status in ('complete', 'closed')`);
  const totals = await eightAtOnce(async (n) => {
    await change(n);
    await compactCounts(fork(), 'sales_order');
    return ordersWith(['status', 'complete,closed', 'in']);
  });
  expect(new Set(totals)).toEqual(new Set([170]));
  expect(await wrong()).toEqual([]);
});

test('added up, each combination of values is one row', async () => {
  await compactCounts(fork(), 'sales_order');
  const [row] = await rows<{ rows: number; kinds: number }>(`
    select (select count(*)::int from pos_list_count where list = 'sales_order') as rows,
      (select count(distinct (store_id, state, status))::int from sales_order) as kinds`);
  expect(row?.rows).toBe(row?.kinds);
  expect(await compactCounts(fork(), 'sales_order')).toBe(row?.kinds);
  expect(await ordersWith()).toBe(200);
});

test('a list answers while its counts cannot be added up, and the night adds them up', async () => {
  for (let n = 0; n < 6; n++)
    await write(`update sales_shipment set store_id = store_id; insert into pos_list_count (list, store_id, counted)
      select 'sales_shipment', 1, case n % 2 when 0 then 1 else -1 end from generate_series(1, 400) n`);
  const em = fork();
  await em.begin();
  await em.execute(`select pg_advisory_xact_lock(hashtextextended('counts of sales_shipment', 0))`);
  const criteria = readSearchCriteria({ page_size: 1 });
  expect((await searchShipments(fork(), criteria)).totalCount).toBe(200);
  const found = `select count(*)::int as rows from pos_list_count where list = 'sales_shipment'`;
  expect((await rows<{ rows: number }>(found))[0]?.rows).toBeGreaterThan(2_000);
  await em.rollback();
  expect(await compactAllCounts(fork())).toBeGreaterThan(2_000);
  expect(await rows(found)).toEqual([{ rows: 1 }]);
  expect(await wrong()).toEqual([]);
});

test('a list adds its counts up by itself when they are many', async () => {
  for (let n = 0; n < 6; n++)
    await write(`update sales_order set status = case status when 'closed' then 'complete' else 'closed' end`);
  await ordersWith();
  const [row] = await rows<{ rows: number }>(
    `select count(*)::int as rows from pos_list_count where list = 'sales_order'`,
  );
  expect(row?.rows).toBeLessThan(20);
  expect(await wrong()).toEqual([]);
});

test('stock that is saved twice is counted once, and what is taken out no more', async () => {
  const save = (status: number) =>
    write(`insert into inventory_source_item (sku, source_code, quantity, status)
      select 'kept-' || n, 'floor', 1, ${status} from generate_series(1, 5) n
      on conflict (sku, source_code) do update set status = excluded.status`);
  const inStock = async (status: string) =>
    (
      await searchSourceItems(
        fork(),
        readSearchCriteria({
          filter_groups: [{ filters: [{ field: 'status', value: status, condition_type: 'eq' }] }],
        }),
      )
    ).totalCount;
  await write(`insert into product (sku, name, price) select 'kept-' || n, 'Kept', 1 from generate_series(1, 5) n`);
  await save(1);
  await save(0);
  expect([await inStock('0'), await inStock('1')]).toEqual([5, 0]);
  await write(`delete from inventory_source_item where sku in ('kept-1', 'kept-2')`);
  expect(await inStock('0')).toBe(3);
  await write('truncate inventory_source_item');
  expect(await inStock('0')).toBe(0);
  expect(await wrong()).toEqual([]);
});

test('goods are counted on each of their websites, wherever they are moved', async () => {
  await write(`insert into product (sku, name, price, website_ids, tax_class_id)
    select 'placed-' || n, 'Placed', 1, case when n <= 3 then '{1,2}' else '{2}' end::text[], 4 from generate_series(1, 5) n`);
  const goods = async (field: string, value: string, condition_type = 'eq') => {
    const kept = { filters: [{ field, value, condition_type }] };
    // No count is kept by name, so these are counted row by row.
    const counted = { filters: [{ field: 'name', value: '%', condition_type: 'like' }] };
    const totals = [[kept], [kept, counted]].map((filter_groups) =>
      searchProducts(fork(), readSearchCriteria({ page_size: 1, filter_groups }), { storeId: 0, websiteId: 0 }),
    );
    const [known, real] = await Promise.all(totals);
    expect(known?.totalCount).toBe(real?.totalCount);
    return known?.totalCount;
  };
  const onEach = () => Promise.all(['1', '2', '3'].map((website) => goods('website_id', website)));
  const elsewhere = await goods('website_id', '1', 'neq');
  expect(await onEach()).toEqual([3, 5, 0]);
  expect(await goods('website_id', '1,3', 'in')).toBe(3);
  await write(`update product set website_ids = '{1,3}', tax_class_id = 2 where sku = 'placed-5'`);
  expect(await onEach()).toEqual([4, 4, 1]);
  expect(await goods('website_id', '1', 'neq')).toBe((elsewhere ?? 0) - 1);
  expect(await goods('tax_class_id', '4')).toBe(4);
  await write(`delete from product where sku = 'placed-1'`);
  expect(await onEach()).toEqual([3, 3, 1]);
  expect(await wrong()).toEqual([]);
});
