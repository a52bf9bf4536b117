import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
let token: string;
let sku: string;
let goods = 0;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  token = await api.tokenFor('Platform_Catalog::catalog', 'Platform_Catalog::products');
});
afterAll(() => api.close());
beforeEach(async () => {
  sku = `MUG-${++goods}`;
  const product = { sku, name: 'Mug', price: 12 };
  expect((await api.call('POST', '/V1/products', { token, body: { product } })).status).toBe(200);
});

const call = (method: string, path: string, of = sku) =>
  api.call(method, `/V1/products/${of}/group-prices/${path}`, { token });
const tiersOf = async (group: string) => (await call('GET', `${group}/tiers`)).body;
const price = (group: number, qty: number, value: number) => ({
  ...{ customer_group_id: group, qty, value },
  extension_attributes: { website_id: 0 },
});
const gone = { status: 404 };

test('a group has its own price from a quantity on; setting it again changes it', async () => {
  expect(await call('POST', '1/tiers/6/price/10')).toMatchObject({ status: 200, body: true });
  expect(await call('POST', '1/tiers/6/price/9.5')).toMatchObject({ status: 200 });
  expect(await call('POST', 'all/tiers/12/price/8')).toMatchObject({ status: 200 });
  expect(await tiersOf('1')).toEqual([price(1, 6, 9.5)]);
  expect(await tiersOf('all')).toEqual([price(32_000, 12, 8)]);
  const { body } = await api.call('GET', `/V1/products/${sku}`, { token });
  expect(body.tier_prices).toEqual([price(1, 6, 9.5), price(32_000, 12, 8)]);
});

test('eight at once leave every price', async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7, 8].map((qty) => call('POST', `1/tiers/${qty}/price/${20 - qty}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await tiersOf('1')).toHaveLength(8);
});

test('a price is deleted once, and only that of its group and quantity', async () => {
  await call('POST', '1/tiers/6/price/10');
  await call('POST', 'all/tiers/6/price/11');
  expect(await call('DELETE', '1/tiers/7')).toMatchObject(gone);
  expect(await call('DELETE', '1/tiers/6')).toMatchObject({ status: 200, body: true });
  expect(await call('DELETE', '1/tiers/6')).toMatchObject({ ...gone, body: { parameters: ['1', 0, 6] } });
  expect(await tiersOf('all')).toEqual([price(32_000, 6, 11)]);
});

test.each([
  ['a price of nothing', '1/tiers/6/price/0', 400],
  ['a quantity of nothing', '1/tiers/0/price/10', 400],
  ['an unknown group', '999/tiers/6/price/10', 404],
  ['a group that is no number', 'some/tiers/6/price/10', 404],
])('%s is refused, and nothing is saved', async (_what, path, status) => {
  expect((await call('POST', path)).status).toBe(status);
  expect((await api.call('GET', `/V1/products/${sku}`, { token })).body.tier_prices).toEqual([]);
});

test('an unknown product has no prices', async () => {
  for (const [method, path] of [
    ['GET', '1/tiers'],
    ['POST', '1/tiers/6/price/10'],
    ['DELETE', '1/tiers/6'],
  ] as const)
    expect((await call(method, path, 'NO-SUCH')).status).toBe(404);
});
