import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCartShop, aShopper } from '../../../support/builders/cart.ts';

const { change, fork, findOne, insert } = booksOf(() => api.orm);

const now = new Date('2026-11-23T12:00:00Z');
let api: TestApi;
beforeAll(async () => {
  api = await testApi({ clock: () => now });
  await aCartShop(fork());
});
afterAll(() => api.close());

let made = 0;
/** A product for 50 with these attributes. */
async function aProduct(attributes: Record<string, unknown>): Promise<string> {
  const sku = `CHEAP-${++made}`;
  const custom_attributes = Object.entries(attributes).map(([attribute_code, value]) => ({ attribute_code, value }));
  const extension_attributes = { stock_item: { manage_stock: false } };
  const product = { sku, name: sku, price: 50, custom_attributes, extension_attributes };
  expect(await api.call('POST', '/rest/all/V1/products', { token: api.tokens.admin, body: { product } })).toMatchObject(
    {
      status: 200,
    },
  );
  return sku;
}

async function priceOf(sku: string): Promise<number> {
  const shopper = await aShopper(api);
  await shopper.open();
  return (await shopper.put(sku)).body.price;
}

test.each([
  ['without days', { special_price: '40' }, 40],
  ['from today on', { special_price: '40', special_from_date: '2026-11-23 00:00:00' }, 40],
  ['until today', { special_price: 40.5, special_to_date: '2026-11-23 00:00:00' }, 40.5],
  ['from tomorrow on', { special_price: '40', special_from_date: '2026-11-24 00:00:00' }, 50],
  ['until yesterday', { special_price: '40', special_to_date: '2026-11-22 23:59:59' }, 50],
  ['above the price', { special_price: '60' }, 50],
])('a special price %s', async (_when, attributes, price) => {
  expect(await priceOf(await aProduct(attributes))).toBe(price);
});

test('a special price that is no number, from a catalog of before, counts for nothing', async () => {
  const sku = await aProduct({ special_price: '40' });
  await change('product', { sku }, { custom_attributes: JSON.stringify({ special_price: 'cheap' }) });
  expect(await priceOf(sku)).toBe(50);
});

test.each(['special_from_date', 'special_to_date'])(
  'a special price with a %s that cannot be read, from a catalog of before, never holds',
  async (code) => {
    const sku = await aProduct({ special_price: '40' });
    const wrongly = (day: string) =>
      change('product', { sku }, { custom_attributes: JSON.stringify({ special_price: '40', [code]: day }) });
    await wrongly('31.12.2030');
    expect(await priceOf(sku)).toBe(50);
    await wrongly('');
    expect(await priceOf(sku)).toBe(40);
  },
);

test('a website has a special price of its own', async () => {
  const sku = await aProduct({ special_price: '40' });
  await api.call('PUT', `/V1/products/${sku}`, {
    token: api.tokens.admin,
    body: { product: { custom_attributes: [{ attribute_code: 'special_price', value: '30' }] } },
  });
  expect(await priceOf(sku)).toBe(30);
});

test('a special price that ended costs as much as before it, in the cart too', async () => {
  const sku = await aProduct({ special_price: '40' });
  const product = { custom_attributes: [{ attribute_code: 'special_price', value: null }] };
  const ended = await api.call('PUT', `/V1/products/${sku}`, { token: api.tokens.admin, body: { product } });
  expect(ended.body.custom_attributes).not.toContainEqual(expect.objectContaining({ attribute_code: 'special_price' }));
  expect(await priceOf(sku)).toBe(50);
});

test('what the catalog rules made for the group today is the price, another day’s and another group’s are not', async () => {
  const sku = await aProduct({});
  const { entity_id: id } = await findOne('product', { sku }, 'entity_id');
  const row = (date: string, group: number, price: number) =>
    insert('catalog_rule_price', {
      ...{ product_id: id, website_id: 1, rule_date: date, customer_group_id: group, rule_price: price },
    });
  await row('2026-11-24', 1, 10);
  await row('2026-11-23', 2, 20);
  expect(await priceOf(sku)).toBe(50);
  await row('2026-11-23', 1, 35);
  expect(await priceOf(sku)).toBe(35);
});
