import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { readSearchCriteria } from '../../../api/wire/criteria.ts';
import { grownOrder, growOrders } from '../../../bench/grow-orders.ts';
import { growShop } from '../../../bench/grow-shop.ts';
import { orderListPages } from '../../../bench/measure-order-lists.ts';
import { shopListPages, type ShopPage } from '../../../bench/measure-shop-lists.ts';
import { countBlocks } from '../../../bench/support.ts';
import { storedCountInvariants } from '../../../books/verify/invariants/counts.ts';
import { searchProducts } from '../../../db/platform/catalog/products.ts';
import { searchOrders } from '../../../db/platform/orders/read-order-items.ts';
import { createOrm } from '../../../db/orm.ts';
import { searchShipments } from '../../../db/platform/shipments/shipments.ts';
import { search, type Searchable } from '../../../db/support/search.ts';
import { compactAllCounts } from '../../../db/support/stored-count.ts';
import { booksOf } from '../../support/books.ts';
import { aShop } from '../../support/builders/shop.ts';
import { impatient, testDatabase } from '../../support/database.ts';

const goodsSold = 300;
const ordersPlaced = 300;
/** Orders lie on many days of four months, in no order; every seventh begins a day. */
const placedAt = (n: string) =>
  `timestamptz '2026-01-28 00:00:00Z' + (${n} % 100 * 37 % 100) * interval '1 day' + (${n} % 7) * interval '211 minutes'`;

describe('totals of lists', () => {
  let orm: MikroORM;
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
    await growShop({ em: fork(), say: () => undefined }, 0, goodsSold);
    await growOrders({ em: fork(), say: () => undefined }, 0, ordersPlaced);
    await write(`update sales_order set created_at = ${placedAt('entity_id')} where entity_id >= ${grownOrder(0)}`);
  });
  afterAll(() => orm.close());

  const { fork, rows, write } = booksOf(() => orm);
  const wrong = async () => (await Promise.all(storedCountInvariants.map(({ sql }) => rows(sql)))).flat();
  const addUp = () => compactAllCounts(fork());

  const ordersOf = async (filters: readonly object[]) =>
    (
      await searchOrders(
        fork(),
        readSearchCriteria({ page_size: 1, filter_groups: filters.map((one) => ({ filters: [one] })) }),
      )
    ).totalCount;

  const lists: readonly ShopPage[] = [...shopListPages(goodsSold, false), ...orderListPages(ordersPlaced)];
  const untold = /^(carts held|open returns)/;

  test('a list tells as many as it lists, for every filter that it is asked', async () => {
    const told = async () => {
      const found: [string, number, number][] = [];
      for (const { name, asked } of lists.filter((one) => !untold.test(one.name) && !one.name.includes('page 40'))) {
        const { page_size: _few, pageSize: _also, ...whole } = { page_size: 0, pageSize: 0, ...asked.searchCriteria };
        const { rows: listed, totalCount } = { rows: [], ...(await asked.find(fork(), readSearchCriteria(whole))) };
        found.push([name, totalCount, (listed as object[]).length]);
      }
      return found;
    };
    const before = await told();
    await addUp();

    expect(before.length).toBeGreaterThan(400);
    expect(before.filter(([, total, listed]) => total !== listed)).toEqual([]);
    expect(await told()).toEqual(before);
    expect(await wrong()).toEqual([]);
  });

  const day = fc.integer({ min: -2, max: 102 });
  const moment = fc
    .tuple(day, fc.constantFrom(0, 1, 3_600, 12_660, 86_399))
    .map(([days, seconds]) => new Date(Date.UTC(2026, 0, 28 + days) + seconds * 1_000).toISOString());
  const asked = fc.record({
    from: fc.option(moment),
    to: fc.option(moment),
    status: fc.option(fc.constantFrom('complete', 'pending,processing', 'none')),
    newestFirst: fc.boolean(),
  });

  test('orders of any time are counted exactly, by whole days and months and by the rows at both ends', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ from, to, status, newestFirst }) => {
        const filters = [
          ...(from === null ? [] : [{ field: 'created_at', value: from, condition_type: 'gteq' }]),
          ...(to === null ? [] : [{ field: 'created_at', value: to, condition_type: 'lt' }]),
          ...(status === null ? [] : [{ field: 'status', value: status, condition_type: 'in' }]),
        ];
        const { rows: found, totalCount } = await searchOrders(
          fork(),
          readSearchCriteria({
            filter_groups: filters.map((one) => ({ filters: [one] })),
            ...(newestFirst ? { sort_orders: [{ field: 'created_at', direction: 'DESC' }] } : {}),
          }),
        );
        const [real] = await rows<{ n: number; ids: number[] }>(
          `select count(*)::int as n, coalesce(array_agg(entity_id order by
            ${newestFirst ? 'created_at desc, entity_id desc' : 'entity_id'}), '{}') as ids
           from sales_order where created_at >= coalesce(?::timestamptz, '-infinity')
             and created_at < coalesce(?::timestamptz, 'infinity') and status = any(coalesce(?::text[],
               array[status]))`,
          from,
          to,
          status === null ? null : `{${status}}`,
        );
        expect([totalCount, found.map(({ order }) => order['entity_id'])]).toEqual([real?.n, real?.ids]);
      }),
      { numRuns: 120 },
    );
  });

  test('an order that is moved to another day, or becomes a layaway, is counted there', async () => {
    const inJuly = [{ field: 'created_at', value: '2026-07-01', condition_type: 'gteq' }];
    const stale = { field: 'pos_layaway_status', value: 'stale', condition_type: 'eq' };
    const before = await ordersOf([stale]);
    await write(
      `update sales_order set created_at = '2026-07-05 10:00:00Z', pos_layaway_status = 'stale'
        where entity_id = ${grownOrder(7)}`,
    );
    expect([await ordersOf(inJuly), await ordersOf([stale]), await ordersOf([...inJuly, stale])]).toEqual([
      1,
      before + 1,
      1,
    ]);
    await addUp();
    await write(`update sales_order set created_at = '2026-03-05 10:00:00Z' where entity_id = ${grownOrder(7)}`);
    expect([await ordersOf(inJuly), await ordersOf([...inJuly, stale])]).toEqual([0, 0]);
    expect(await wrong()).toEqual([]);
  });

  test('a list that reads for too long is ended, and the answer says what to ask instead', async () => {
    const impatientShop = await createOrm(orm.config.get('clientUrl') ?? '', impatient);
    const endless: Searchable = {
      table: 'product',
      columns: 'entity_id',
      fields: {
        weight: {
          column: `(select count(*) from generate_series(1, 1000000000) n where n % entity_id = 0)`,
          type: 'integer',
        },
      },
      order: 'entity_id',
    };
    const criteria = readSearchCriteria({ page_size: 1, sort_orders: [{ field: 'weight', direction: 'ASC' }] });
    await expect(search(impatientShop.em.fork(), criteria, endless)).rejects.toMatchObject({
      refusal: { status: 503, message: expect.stringContaining('sort it by another field') },
    });
    await impatientShop.close();
  });

  const goodsOf = async (category: string, status?: string) => {
    const filters = [
      { field: 'category_id', value: category, condition_type: 'eq' },
      ...(status === undefined ? [] : [{ field: 'status', value: status, condition_type: 'eq' }]),
    ];
    const place = { storeId: 0, websiteId: 0 };
    const { rows: found, totalCount } = await searchProducts(
      fork(),
      readSearchCriteria({ filter_groups: filters.map((one) => ({ filters: [one] })) }),
      place,
    );
    expect(found).toHaveLength(totalCount);
    return totalCount;
  };

  test('goods are counted in each of their categories once, wherever they are moved', async () => {
    await write(
      `insert into product (sku, name, price, category_ids) select 'told-' || n, 'Told', 1, '{77,78,77}'
        from generate_series(1, 5) n`,
    );
    expect([await goodsOf('77'), await goodsOf('78'), await goodsOf('79')]).toEqual([5, 5, 0]);
    await write(`update product set category_ids = '{78,79}', status = 2 where sku in ('told-1', 'told-2')`);
    await addUp();
    await write(`delete from product where sku = 'told-3'`);
    expect([await goodsOf('77'), await goodsOf('78'), await goodsOf('79')]).toEqual([2, 4, 2]);
    expect([await goodsOf('78', '1'), await goodsOf('78', '2'), await goodsOf('79', '1')]).toEqual([2, 2, 0]);
    expect(await wrong()).toEqual([]);
  });

  test('the total of half the orders is read from the counts of days, and not from the orders', async () => {
    const criteria = readSearchCriteria({
      page_size: 1,
      filter_groups: [{ filters: [{ field: 'created_at', value: '2026-03-10', condition_type: 'gteq' }] }],
      sort_orders: [{ field: 'created_at', direction: 'DESC' }],
    });
    await addUp();
    await write('vacuum analyze sales_order, pos_list_count');
    const sizes = [];
    for (const more of [0, 5_000]) {
      await growOrders({ em: fork(), say: () => undefined }, ordersPlaced, ordersPlaced + more);
      await write(`update sales_order set created_at = '2026-04-01 10:00:00Z' where created_at < '2026-01-01'`);
      await addUp();
      await write('vacuum analyze');
      sizes.push(await countBlocks(fork(), (em) => searchOrders(em, criteria)));
    }
    const [few, many] = sizes;
    expect(many!.result.totalCount).toBeGreaterThan(few!.result.totalCount + 4_000);
    expect(many!.blocks).toBeLessThan(few!.blocks + 60);
  });

  test('what changed since yesterday is found without passing over what did not, new or not, page after page', async () => {
    // A shop of 150,000 parcels, 22,000 of them of today; a hundred old ones changed today, too.
    await write(`insert into sales_shipment (order_id, increment_id, store_id, source_code, total_qty, created_at, updated_at)
      select ${grownOrder(0)}, 'P' || n, 1, 'default', 1, day, day
      from generate_series(1, 150000) n, lateral (select case when n > 128000 then timestamptz '2026-11-20 08:00:00Z'
        else '2026-11-18 08:00:00Z' end as day) d`);
    await write(`update sales_shipment set updated_at = '2026-11-20 09:00:00Z' where increment_id ~ '^P[0-9]*[27]00$'
      and created_at < '2026-11-19' and right(increment_id, 4) ~ '^[05]'`);
    await addUp();
    await write('vacuum analyze sales_shipment');
    const since = (field: string, page: number) => (em: EntityManager) =>
      searchShipments(
        em,
        readSearchCriteria({
          ...{ page_size: 50, current_page: page },
          filter_groups: [{ filters: [{ field, value: '2026-11-20', condition_type: 'gteq' }] }],
        }),
      );
    const changed = await rows<{ entity_id: number }>(
      `select entity_id from sales_shipment where updated_at >= '2026-11-20' order by entity_id`,
    );

    for (const page of [1, 3, Math.ceil(changed.length / 50)]) {
      const { result, blocks } = await countBlocks(fork(), since('updated_at', page));
      expect(result.totalCount).toBe(changed.length);
      expect(result.rows.map(({ document }) => document['entity_id'])).toEqual(
        changed.slice((page - 1) * 50, page * 50).map(({ entity_id: id }) => id),
      );
      expect(blocks).toBeLessThan(1_200);
    }
    expect((await countBlocks(fork(), since('created_at', 1))).result.totalCount).toBe(22_000);
  });
});
