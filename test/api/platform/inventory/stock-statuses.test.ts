import { beforeAll, expect, test } from '@jest/globals';
import { aShop } from '../../../support/builders/shop.ts';
import { useApi } from '../../../support/fixtures.ts';

const api = useApi();
beforeAll(async () => {
  await aShop(api.orm.em.fork());
  const sourceItems = [
    { sku: 'MUG', source_code: 'floor', quantity: 2, status: 1 },
    { sku: 'PLATE', source_code: 'floor', quantity: 0, status: 0 },
  ];
  await api.call('POST', '/V1/inventory/source-items', { token: api.tokens.admin, body: { sourceItems } });
});

const get = (path: string) => api.call('GET', `/V1/${path}`, { token: api.tokens.admin });

test('a product is in stock as its default source says', async () => {
  expect((await get('stockStatuses/MUG')).body).toEqual({
    product_id: expect.any(Number),
    stock_id: 1,
    qty: 2,
    stock_status: 1,
  });
  expect((await get('stockStatuses/PLATE')).body).toMatchObject({ qty: 0, stock_status: 0 });
  expect(await get('stockStatuses/NOBODY')).toMatchObject({ status: 404 });
});

test('what runs out is listed, the fewest first, in pages', async () => {
  const { items, total_count: total } = (await get('stockItems/lowStock?scopeId=0&qty=2')).body;
  expect(items.map(({ qty }: { qty: number }) => qty)).toEqual([0, 2]);
  expect(total).toBe(2);

  expect((await get('stockItems/lowStock?qty=2&pageSize=1&currentPage=2')).body).toMatchObject({
    items: [{ qty: 2 }],
    search_criteria: { page_size: 1, current_page: 2 },
    total_count: 2,
  });
  expect((await get('stockItems/lowStock?qty=2&pageSize=5&currentPage=9')).body).toMatchObject({
    items: [],
    total_count: 2,
  });
});

test.each(['', 'qty=x', 'qty=1&pageSize=0', 'qty=1&pageSize=1001', 'qty=1&currentPage=0'])(
  'what runs out is not asked for by “%s”',
  async (query) => {
    expect(await get(`stockItems/lowStock?${query}`)).toMatchObject({ status: 400 });
  },
);
