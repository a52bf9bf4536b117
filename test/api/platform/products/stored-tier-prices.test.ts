import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const call = (path: string, body: unknown, method = 'POST') =>
  api.call(method, `/V1/products/tier-prices${path}`, { token: api.tokens.admin, body });
const read = async (sku: string) => (await call('-information', { skus: [sku] })).body;
let made = 0;
async function aProduct(): Promise<string> {
  const sku = `TIERED-${++made}`;
  const product = { sku, name: sku, price: 50 };
  await api.call('POST', '/rest/all/V1/products', { token: api.tokens.admin, body: { product } });
  return sku;
}
const tier = (sku: string, more: object = {}) => ({
  ...{ sku, price: 40, price_type: 'fixed', website_id: 0, customer_group: 'ALL GROUPS', quantity: 6 },
  ...more,
});

test('tier prices are saved one for each place, replaced as a whole, and deleted as they were said', async () => {
  const sku = await aProduct();
  const general = tier(sku, { price: 12.5, price_type: 'discount', customer_group: 'general', website_id: 1 });
  expect((await call('', { prices: [tier(sku), general] })).body).toEqual([]);
  expect((await call('', { prices: [tier(sku, { price: 39 })] })).body).toEqual([]);
  expect(await read(sku)).toEqual([{ ...general, customer_group: 'General' }, tier(sku, { price: 39 })]);

  for (const _again of [1, 2]) expect((await call('', { prices: [tier(sku)] }, 'PUT')).body).toEqual([]);
  expect(await read(sku)).toEqual([tier(sku)]);

  expect((await call('-delete', { prices: [tier(sku, { price: 1 })] })).body).toMatchObject([
    { message: expect.stringMatching(/^The requested price is not found\./) },
  ]);
  expect((await call('-delete', { prices: [tier(sku)] })).body).toEqual([]);
  expect(await read(sku)).toEqual([]);
});

const rowId = 'Row ID: SKU = %SKU, Website ID: %websiteId, Customer Group: %customerGroup, Quantity: %qty.';

test.each([
  ['an unknown website', { website_id: 77 }, 'Invalid attribute Website ID = %websiteId.'],
  ['an unknown group', { customer_group: 'nobody' }, 'No such entity with Customer Group = %customerGroup.'],
  ['a price below zero', { price: -1 }, 'Invalid attribute Price = %price.'],
  ['more than all off', { price: 101, price_type: 'discount' }, 'Invalid attribute Price = %price.'],
  ['an unknown kind', { price_type: 'gift' }, 'Invalid attribute Price Type = %priceType.'],
  ['no quantity', { quantity: 0 }, 'Invalid attribute Quantity = %qty.'],
])('%s is told and not saved, what stands beside it is', async (_what, more, sentence) => {
  const sku = await aProduct();
  const { body } = await call('', { prices: [tier(sku, more), tier(sku, { quantity: 2 })] });
  expect(body).toEqual([{ message: `${sentence} ${rowId}`, parameters: expect.arrayContaining([sku]) }]);
  expect(await read(sku)).toEqual([tier(sku, { quantity: 2 })]);
});

test('eight savers of one product keep every tier', async () => {
  const sku = await aProduct();
  const answers = await eightAtOnce((at) => call('', { prices: [tier(sku, { quantity: at + 1 })] }));
  expect(answers.map(({ body }) => body)).toEqual(Array(8).fill([]));
  expect(await read(sku)).toHaveLength(8);
});

test('an unknown product has no tier prices', async () => {
  expect(await call('-information', { skus: ['NONE'] })).toMatchObject({
    status: 404,
    body: { parameters: { sku: 'NONE' } },
  });
});
