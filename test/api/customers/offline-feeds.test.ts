import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { aCatalogRule, reindex } from '../../support/builders/catalog-rule.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';

let api: TestApi;
let now = new Date('2026-11-23T12:00:00Z');
beforeAll(async () => {
  api = await testApi({ clock: () => now });
  await aShop(fork());
});
afterAll(() => api.close());
beforeEach(async () => {
  now = new Date('2026-11-23T12:00:00Z');
  for (const table of ['catalog_rule', 'config_value', 'fixed_product_tax']) await remove(table);
});

const books = booksOf(() => api.orm);
const { fork, change, remove, configure } = books;

const rules = '/V1/pos/catalog-rule-prices';
const taxes = '/V1/pos/fixed-product-taxes';
const get = (path: string, headers: Record<string, string> = {}) =>
  api.call('GET', path, { token: api.tokens.register, headers });

test('a register fetches the prices of its website’s day, by product and group', async () => {
  await aCatalogRule(api.orm, { customerGroupIds: [0, 2] });
  await reindex(api.orm, now);
  const { status, body } = await get(`${rules}?websiteId=1`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ date: '2026-11-23', unchanged: false });
  expect(body.items).toHaveLength(6);
  expect(body.items[0]).toEqual({ product_id: 1, customer_group_id: 0, rule_price: 45 });
  expect(body.items[1]).toEqual({ product_id: 1, customer_group_id: 2, rule_price: 45 });
});

test('who has the last prices gets none; a price that changes ends that', async () => {
  const ruleId = await aCatalogRule(api.orm);
  await reindex(api.orm, now);
  const first = await get(`${rules}?websiteId=1`);
  const since = `${rules}?websiteId=1&ifIndexedAfter=${first.body.indexed_at}`;
  const tag = { 'if-none-match': first.headers.get('etag') ?? '' };
  expect((await get(since)).body).toEqual({ ...first.body, unchanged: true, items: [] });
  expect((await get(`${rules}?websiteId=1`, tag)).status).toBe(304);

  await change('catalog_rule', { rule_id: ruleId }, { discount_amount: 20 });
  await reindex(api.orm, now);
  const later = await get(since, tag);
  expect(later.body).toMatchObject({ unchanged: false, items: expect.arrayContaining([]) });
  expect(later.body.items).toHaveLength(12);
  expect(later.body.indexed_at > first.body.indexed_at).toBe(true);
});

test('a new day is a change, even without indexing and without a changed row', async () => {
  await aCatalogRule(api.orm, { fromDate: '2026-11-23', toDate: '2026-11-23' });
  await reindex(api.orm, now);
  const first = await get(`${rules}?websiteId=1`);
  const since = `${rules}?websiteId=1&ifIndexedAfter=${first.body.indexed_at}`;
  expect(first.body.items).toHaveLength(12);

  now = new Date('2026-11-24T00:00:30Z');
  expect((await get(since)).body).toMatchObject({ date: '2026-11-24', unchanged: false, items: [] });
  await reindex(api.orm, now);
  expect((await get(since)).body).toMatchObject({ date: '2026-11-24', unchanged: false, items: [] });
  expect((await get(since, { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(200);
});

test('a shop without a rule has an indexed_at as well, and nothing more to fetch', async () => {
  await remove('catalog_rule_index');
  await remove('catalog_rule_price');
  expect((await get(`${rules}?websiteId=1`)).body).toMatchObject({ indexed_at: null, unchanged: false, items: [] });
  await reindex(api.orm, now);
  const { body } = await get(`${rules}?websiteId=1`);
  expect(body).toEqual({ indexed_at: now.toISOString(), date: '2026-11-23', unchanged: false, items: [] });
  const since = `${rules}?websiteId=1&ifIndexedAfter=${body.indexed_at}`;
  expect((await get(since)).body).toMatchObject({ unchanged: true });

  await aCatalogRule(api.orm);
  await reindex(api.orm, now);
  expect((await get(since)).body).toMatchObject({ unchanged: false });
});

test('today is that of the website', async () => {
  await change('website', { website_id: 1 }, { time_zone: 'Pacific/Auckland' });
  expect((await get(`${rules}?websiteId=1`)).body.date).toBe('2026-11-24');
  await change('website', { website_id: 1 }, { time_zone: 'UTC' });
});

test('a day around today may be named; one without rows is empty', async () => {
  await aCatalogRule(api.orm, { fromDate: '2026-11-24' });
  await reindex(api.orm, now);
  const on = async (date: string) => (await get(`${rules}?websiteId=1&date=${date}`)).body.items.length;
  expect([await on('2026-11-23'), await on('2026-11-24'), await on('2031-01-01')]).toEqual([0, 12, 0]);
});

test.each(['date=2026-02-30', 'date=23.11.2026', 'ifIndexedAfter=yesterday', 'date=2026-11-23T00:00:00Z'])(
  '%s is refused',
  async (query) => {
    const said = 'Invalid value of "%value" provided for the %fieldName field.';
    await expectRefused({ send: () => get(`${rules}?websiteId=1&${query}`), status: 400, said });
  },
);

test('an unknown website is 404, none at all 400, and 0 is the one of the store view', async () => {
  for (const path of [rules, taxes]) {
    expect((await get(`${path}?websiteId=77`)).status).toBe(404);
    expect((await get(path)).status).toBe(400);
    expect((await get(`${path}?websiteId=0`)).status).toBe(200);
    expect((await get(`/rest/all${path}?websiteId=0`)).status).toBe(200);
  }
});

test('fixed taxes are those of the website and of every website, where they are charged at all', async () => {
  const fee = { attribute_code: 'eco_fee', country_id: 'US', region_id: 0 };
  await books.insertAll('fixed_product_tax', [
    { ...fee, product_id: 1, website_id: 0, value: 2.5 },
    { ...fee, product_id: 1, website_id: 1, region_id: 12, value: 3 },
    { ...fee, product_id: 2, website_id: 9, value: 4 },
  ]);
  const off = await get(`${taxes}?websiteId=1`);
  expect(off.body).toEqual({ generated_at: '2026-11-23T12:00:00.000Z', rows: [] });

  await configure('tax/weee/enable', '1', 'websites', 1);
  const on = await get(`${taxes}?websiteId=1`, { 'if-none-match': off.headers.get('etag') ?? '' });
  expect(on.body.rows).toEqual([
    { sku: 'MUG', attribute_code: 'eco_fee', website_id: 0, country_id: 'US', region_id: 0, value: 2.5 },
    { sku: 'MUG', attribute_code: 'eco_fee', website_id: 1, country_id: 'US', region_id: 12, value: 3 },
  ]);

  const tag = { 'if-none-match': on.headers.get('etag') ?? '' };
  expect((await get(`${taxes}?websiteId=1`, tag)).status).toBe(304);
  await change('product', { sku: 'MUG' }, { sku: 'CUP' });
  expect((await get(`${taxes}?websiteId=1`, tag)).body.rows[0].sku).toBe('CUP');
  await change('product', { sku: 'CUP' }, { sku: 'MUG' });
});

test('a long list is complete, and compressed where the caller accepts that', async () => {
  const price = { website_id: 1, rule_date: '2026-11-25', rule_price: 1.5 };
  for (const group of [0, 1, 2, 3])
    await books.insertAll(
      'catalog_rule_price',
      manyRecords(6_001, (n) => ({ ...price, product_id: n + 99, customer_group_id: group })),
    );
  const path = `${rules}?websiteId=1&date=2026-11-25`;
  const { body, headers } = await get(path);
  expect(body.items).toHaveLength(6_001 * 4);
  const keys = body.items.map((row: Record<string, number>) => `${row['product_id']}-${row['customer_group_id']}`);
  expect(new Set(keys).size).toBe(6_001 * 4);
  expect(headers.get('content-encoding')).toBe('gzip');

  const plain = await get(path, { 'accept-encoding': 'gzip;q=0' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.body).toEqual(body);
  await remove('catalog_rule_price', price);
});
