import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreView } from '../../../../db/platform/stores/store-view.entity.ts';
import { Website } from '../../../../db/platform/stores/website.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { manyProducts } from '../../../support/builders/many-products.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  const em = fork();
  await aShop(em);
  em.create(Website, { websiteId: 2, code: 'b2b', name: 'Trade', baseCurrencyCode: 'USD' });
  em.create(StoreView, { storeId: 3, websiteId: 2, code: 'trade', name: 'Trade', currencyCode: 'USD' });
  await em.flush();
  await manyProducts(books, { sku: 'total', count: 5, status: 2, website_ids: [1, 2] });
  await change('product', { sku: 'total-3' }, { scoped_values: '{"w2":{"status":1}}' });
});
afterAll(() => api.close());

const books = booksOf(() => api.orm);
const { fork, change } = books;

const ask = async (
  view: string,
  filters: readonly (readonly [field: string, value: string, condition: string])[],
  page = '',
) => {
  const query = filters.flatMap(([field, value, condition], at) => {
    const filter = `searchCriteria[filter_groups][${at}][filters][0]`;
    return [`${filter}[field]=${field}`, `${filter}[value]=${value}`, `${filter}[condition_type]=${condition}`];
  });
  const path = `/rest/${view}/V1/products?${query.join('&')}${page}`;
  const { status, body } = await api.call('GET', path, { token: api.tokens.register });
  return [status, body.items?.length, body.total_count];
};
const list = (view: string, status: string) =>
  ask(view, [
    ['status', status, 'eq'],
    ['sku', 'total-%25', 'like'],
  ]);
const byStatus = (view: string, status: string, page = '') => ask(view, [['status', status, 'eq']], page);

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
