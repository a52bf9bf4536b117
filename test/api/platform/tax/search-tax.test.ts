import { afterAll, beforeAll, expect, test } from 'vitest';
import { taxGoods } from '../../../../db/platform/tax/tax-goods.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  const em = fork();
  await aShop(em);
  await taxGoods(em, { code: 'US-NY', taxClassId: 2, countryId: 'US', regionId: 43, percent: '8' });
  await taxGoods(em, { code: 'DE', taxClassId: 2, countryId: 'DE', regionId: 0, percent: '19' });
  await taxGoods(em, { code: 'DE-books', taxClassId: 5, countryId: 'DE', regionId: 0, percent: '7.5' });
});
afterAll(() => api.close());

const { fork } = booksOf(() => api.orm);

const get = (path: string) => api.call('GET', path, { token: api.tokens.register });
const where = (field: string, value: string) =>
  `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;

test('a register learns what each place takes', async () => {
  const { status, body } = await get(`/V1/taxRates/search?${where('tax_country_id', 'us')}`);

  expect({ status, ...body }).toMatchObject({
    status: 200,
    items: [{ tax_country_id: 'US', tax_region_id: 43, tax_postcode: '*', rate: 8, code: 'US-NY', titles: [] }],
    total_count: 1,
  });
  expect((await get('/V1/taxRates/search?searchCriteria=')).body.total_count).toBe(3);
});

test('a rule says which rates hold for which class of goods', async () => {
  const { items: rates } = (await get('/V1/taxRates/search?searchCriteria=')).body;
  const { items } = (await get(`/V1/taxRules/search?${where('tax_rate_ids', String(rates[2].id))}`)).body;

  expect(items).toEqual([
    {
      id: expect.any(Number),
      code: 'Class 5',
      priority: 0,
      position: 0,
      customer_tax_class_ids: [3],
      product_tax_class_ids: [5],
      tax_rate_ids: [rates[2].id],
      calculate_subtotal: false,
    },
  ]);
});

test('the classes of goods and of customers are listed', async () => {
  expect((await get('/V1/taxClasses/search?searchCriteria=')).body.items).toEqual([
    { class_id: 2, class_name: 'Taxable Goods', class_type: 'PRODUCT' },
    { class_id: 3, class_name: 'Retail Customer', class_type: 'CUSTOMER' },
    { class_id: 5, class_name: 'Class 5', class_type: 'PRODUCT' },
  ]);
  expect((await get(`/V1/taxClasses/search?${where('class_type', 'CUSTOMER')}`)).body.total_count).toBe(1);
});

test('a rate of a region names it, one of a whole country does not', async () => {
  const { items } = (await get('/V1/taxRates/search?searchCriteria=')).body;
  expect(items.map((rate: object) => Reflect.get(rate, 'region_name'))).toEqual(['NY', undefined, undefined]);
});

test.each([
  ['customer_tax_class_ids', '3', 2],
  ['customer_tax_class_ids', '4', 0],
  ['product_tax_class_ids', '5', 1],
  ['tax_calculation_rate_id', '1', 1],
])('rules are found by %s %s', async (field, value, count) => {
  const { body } = await get(`/V1/taxRules/search?${where(field, value)}&searchCriteria[sort_orders][priority]=ASC`);
  expect(body.items).toHaveLength(count);
  expect(body.search_criteria.sort_orders).toEqual([{ field: 'priority', direction: 'ASC' }]);
});

test.each([
  ['/V1/taxRates', 'id', 3],
  ['/V1/taxRules', 'id', 2],
  ['/V1/taxClasses', 'class_id', 3],
])('each of %s is read by itself as in the list', async (path, key, count) => {
  const { items } = (await get(`${path}/search?searchCriteria=`)).body;
  expect(items).toHaveLength(count);
  for (const item of items) expect((await get(`${path}/${item[key]}`)).body).toEqual(item);
});

test.each([
  ['/V1/taxRates', 'taxRateId'],
  ['/V1/taxRules', 'taxRuleId'],
  ['/V1/taxClasses', 'class_id'],
])('what is not in %s is refused in the words of the platform', async (path, fieldName) => {
  const message = 'No such entity with %fieldName = %fieldValue';
  for (const fieldValue of [0, 77])
    expect(await get(`${path}/${fieldValue}`)).toMatchObject({
      status: 404,
      body: { message, parameters: { fieldName, fieldValue } },
    });
  expect((await get(`${path}/x`)).status).toBe(400);
});
