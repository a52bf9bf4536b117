import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StoreView } from '../../../../db/platform/stores/store-view.entity.ts';
import { Website } from '../../../../db/platform/stores/website.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  const em = api.orm.em.fork();
  await aShop(em);
  em.create(Website, { websiteId: 2, code: 'b2b', name: 'Trade', baseCurrencyCode: 'USD' });
  em.create(StoreView, { storeId: 3, websiteId: 2, code: 'trade', name: 'Trade', currencyCode: 'USD' });
  await em.flush();
  await em.execute(`
    insert into product (sku, name, price, status, website_ids)
    select 'total-' || n, 'Total', 1, 2, '{1,2}' from generate_series(1, 5) n`);
  await em.execute(`update product set scoped_values = '{"w2":{"status":1}}' where sku = 'total-3'`);
});
afterAll(() => api.close());

const list = async (view: string, status: string, page = '') => {
  const filters = ['status', 'sku']
    .map((field, at) => `searchCriteria[filter_groups][${at}][filters][0][field]=${field}`)
    .join('&');
  const values = `searchCriteria[filter_groups][0][filters][0][value]=${status}&searchCriteria[filter_groups][1][filters][0][value]=total-%25&searchCriteria[filter_groups][1][filters][0][condition_type]=like`;
  const path = `/rest/${view}/V1/products?${filters}&${values}${page}`;
  const { status: code, body } = await api.call('GET', path, { token: api.tokens.register });
  return [code, body.items?.length, body.total_count];
};
const byStatus = async (view: string, status: string, page = '') => {
  const filter = `searchCriteria[filter_groups][0][filters][0][field]=status&searchCriteria[filter_groups][0][filters][0][value]=${status}`;
  const path = `/rest/${view}/V1/products?${filter}${page}`;
  const { status: code, body } = await api.call('GET', path, { token: api.tokens.register });
  return [code, body.items?.length, body.total_count];
};

test('a list counts a product by the status it has in the view, wherever it is counted', async () => {
  expect(await list('trade', '1')).toEqual([200, 1, 1]);
  expect(await list('trade', '2')).toEqual([200, 4, 4]);
  expect(await list('default', '2')).toEqual([200, 5, 5]);
  const [, items, total] = await byStatus('trade', '2');
  expect(total).toBe(items);
  expect(await byStatus('default', '2')).toEqual([200, 5, 5]);
});

test('beyond the last page the total is the same', async () => {
  const [, , total] = await byStatus('trade', '2');
  expect(await byStatus('trade', '2', '&searchCriteria[page_size]=2&searchCriteria[current_page]=9')).toEqual([
    200,
    0,
    total,
  ]);
});
