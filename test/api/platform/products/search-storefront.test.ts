import { afterAll, beforeAll, expect, test } from 'vitest';
import { Product } from '../../../../db/platform/catalog/product.entity.ts';
import { money } from '../../../../domain/money/amount.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { like } from '../../../support/books/which.ts';

let api: TestApi;
const ids = new Map<string, number>();

beforeAll(async () => {
  api = await testApi();
  const em = fork();
  await aShop(em);
  const usual = { attributeSetId: 4, websiteIds: [1], categoryIds: ['7'] };
  const goods = [
    { sku: 'W-1', name: 'Digital watch', price: money('20'), customAttributes: { barcode: '4006381333931' } },
    { sku: 'WATCH', name: 'Clock of steel', price: money('30'), categoryIds: ['7', '9'] },
    { sku: 'W-3', name: 'Watchmaker’s 100% digital tool', price: money('5') },
    { sku: 'W-4', name: 'Digital watch, hidden', price: money('20'), visibility: 1 },
    { sku: 'W-5', name: 'Digital watch, switched off', price: money('20'), status: 2 },
    { sku: 'W-6', name: 'Digital watch, elsewhere', price: money('20'), websiteIds: [2] },
  ];
  const made = goods.map((one) => em.create(Product, { ...usual, ...one }));
  await em.flush();
  for (const { sku, entityId } of made) ids.set(sku, entityId);
});
afterAll(() => api.close());

const { fork, change, insertAll, remove } = booksOf(() => api.orm);

type Filter = [field: string, value: string, condition?: string];

const ask = (container: string, filters: Filter[], more = '') => {
  const parts = filters.map(([field, value, condition = 'eq'], at) => {
    const filter = `searchCriteria[filter_groups][0][filters][${at}]`;
    return `${filter}[field]=${field}&${filter}[value]=${encodeURIComponent(value)}&${filter}[condition_type]=${condition}`;
  });
  return api.call('GET', `/V1/search?searchCriteria[requestName]=${container}&${parts.join('&')}${more}`);
};
const quick = (term: string, more = '') => ask('quick_search_container', [['search_term', term]], more);
const idsOf = (...skus: string[]) => skus.map((sku) => ids.get(sku));
const found = (answer: { body: { items: { id: number }[] } }) => answer.body.items.map(({ id }) => id);

test('a customer finds what has every word, the best first, without a token', async () => {
  const answer = await quick('watch');
  expect(found(answer)).toEqual(idsOf('WATCH', 'W-1', 'W-3'));
  expect(answer.body).toMatchObject({
    items: [{ custom_attributes: [{ attribute_code: 'score', value: '25.0000000000000000' }] }, {}, {}],
    aggregations: {
      buckets: [
        { name: 'category_bucket', values: [expect.objectContaining({ value: '7', metrics: ['7', '3'] }), {}] },
      ],
      bucket_names: ['category_bucket'],
    },
    search_criteria: {
      request_name: 'quick_search_container',
      filter_groups: [{ filters: [{ field: 'search_term', value: 'watch', condition_type: 'eq' }] }],
    },
    total_count: 3,
  });
  expect(found(await quick('  WATCH   digital '))).toEqual(idsOf('W-1', 'W-3'));
  expect(found(await quick('4006381333931'))).toEqual(idsOf('W-1'));
  expect((await quick('nothing like it')).body).toMatchObject({ items: [], total_count: 0 });
  const unnamed = await api.call('GET', '/V1/search?searchCriteria');
  expect(unnamed.body.search_criteria).toEqual({ request_name: 'quick_search_container', filter_groups: [] });
});

test('signs of a pattern are only letters of a word', async () => {
  expect(found(await quick('100%'))).toEqual(idsOf('W-3'));
  expect(found(await quick('W_1'))).toEqual([]);
  expect(found(await quick('%'.repeat(200)))).toEqual([]);
  expect(found(await quick(String.raw`\ '"`))).toEqual([]);
});

test('a name of the store view alone is found there', async () => {
  await change('product', { sku: 'W-1' }, { scoped_values: JSON.stringify({ s2: { name: 'Montre' } }) });
  const inCanada = await api.call(
    'GET',
    '/rest/ca/V1/search?searchCriteria[requestName]=quick_search_container&searchCriteria[filter_groups][0][filters][0][field]=search_term&searchCriteria[filter_groups][0][filters][0][value]=montre',
  );
  expect(found(inCanada)).toEqual(idsOf('W-1'));
  expect(found(await quick('montre'))).toEqual([]);
});

test('price, category and place in the shop restrict, and pages begin with 1 or 0', async () => {
  const all = ask('catalog_view_container', [['category_ids', '7']]);
  expect((await all).body).toMatchObject({ total_count: 3, aggregations: { bucket_names: ['category_bucket'] } });
  const dear = await ask('quick_search_container', [
    ['search_term', 'w'],
    ['price.from', '6'],
    ['price.to', '25'],
    ['category_ids', '7,9'],
  ]);
  expect(found(dear)).toEqual(idsOf('W-1'));
  expect(
    found(
      await ask('quick_search_container', [
        ['search_term', 'digital'],
        ['visibility', '1,4'],
      ]),
    ),
  ).toEqual(idsOf('W-4', 'W-3', 'W-1'));
  const page = (number: number) =>
    quick('watch', `&searchCriteria[page_size]=2&searchCriteria[current_page]=${number}`);
  expect(found(await page(0))).toEqual(idsOf('WATCH', 'W-1'));
  expect(found(await page(1))).toEqual(idsOf('WATCH', 'W-1'));
  expect(found(await page(2))).toEqual(idsOf('W-3'));
  expect(found(await page(3))).toEqual([]);
});

test('a list of categories may be sent as a list', async () => {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const answer = await api.call(
    'GET',
    `/V1/search?searchCriteria[requestName]=catalog_view_container&${filter}[field]=category_ids&${filter}[value][0]=9&${filter}[value][1]=8`,
  );
  expect(found(answer)).toEqual(idsOf('WATCH'));
});

test('an advanced search takes any attribute, part of it too, and sorts as asked', async () => {
  const answer = await ask(
    'advanced_search_container',
    [['name', 'digital', 'like']],
    '&searchCriteria[sort_orders][price]=ASC',
  );
  expect(found(answer)).toEqual(idsOf('W-3', 'W-1'));
  expect(answer.body.aggregations).toEqual({ buckets: [], bucket_names: [] });
});

test('of more matches than are ranked the newest come first', async () => {
  const usual = { price: 1, website_ids: ['1'], attribute_set_id: 4 };
  const many = Array.from({ length: 1_001 }, (_, at) => ({ sku: `many-${at}`, name: `Many ${at}`, ...usual }));
  await insertAll('product', many);
  const { body } = await quick('many', '&searchCriteria[page_size]=2');
  expect(body).toMatchObject({ total_count: 1_001, aggregations: { buckets: [{ values: [] }] } });
  const [first, second] = found({ body });
  expect(Number(first)).toBeGreaterThan(Number(second));
  await remove('product', { sku: like('many-%') });
});

test.each([
  ['searchCriteria[requestName]=mine', "Request name '%1' doesn't exist."],
  ['searchCriteria[requestName][a]=quick_search_container', "Request name '%1' doesn't exist."],
  ['searchCriteria[requestName][toString]=quick_search_container', "Request name '%1' doesn't exist."],
  ['searchCriteria[value][0][toString]=4', 'The "%fieldName" field is not known here. Correct its name and try again.'],
  [
    'searchCriteria[requestName]=quick_search_container&searchCriteria[filter_groups][0][filters][0][field]=cost&searchCriteria[filter_groups][0][filters][0][value]=1',
    'Invalid attribute name: %1',
  ],
])('%s is refused', async (query, message) => {
  expect(await api.call('GET', `/V1/search?${query}`)).toMatchObject({ status: 400, body: { message } });
});
