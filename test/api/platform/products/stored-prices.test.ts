import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ clock: () => new Date('2026-11-23T07:30:00Z') });
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, change } = booksOf(() => api.orm);

const call = (path: string, body: unknown) =>
  api.call('POST', `/V1/products/${path}`, { token: api.tokens.admin, body });
let made = 0;
async function aProduct(): Promise<string> {
  const sku = `PRICED-${++made}`;
  const product = { sku, name: sku, price: 50 };
  await api.call('POST', '/rest/all/V1/products', { token: api.tokens.admin, body: { product } });
  return sku;
}

test('base prices are saved and read, and a repeat changes nothing', async () => {
  const [one, two] = [await aProduct(), await aProduct()];
  const prices = [
    { sku: one, price: 12.5, store_id: 0 },
    { sku: two, price: '7', store_id: 1 },
  ];
  for (const _again of [1, 2]) expect(await call('base-prices', { prices })).toMatchObject({ status: 200, body: [] });
  expect((await call('base-prices-information', { skus: [one, two] })).body).toEqual([
    { sku: one, price: 12.5, store_id: 0 },
    { sku: two, price: 7, store_id: 0 },
  ]);
});

test('each row that does not hold is told, the others are saved', async () => {
  const sku = await aProduct();
  const prices = [
    { sku: 'not_existing_sku', price: -9999, store_id: 9999 },
    { sku, price: 8, store_id: 0 },
  ];
  expect((await call('base-prices', { prices })).body).toEqual([
    { message: 'Invalid attribute %fieldName = %fieldValue.', parameters: ['SKU', 'not_existing_sku'] },
    { message: 'Invalid attribute %fieldName = %fieldValue.', parameters: ['Price', '-9999'] },
    {
      message: 'Requested store is not found. Row ID: SKU = not_existing_sku, Store ID: 9999.',
      parameters: ['not_existing_sku', '9999'],
    },
  ]);
  expect((await call('base-prices-information', { skus: [sku] })).body).toMatchObject([{ price: 8 }]);
});

test('eight savers of the same goods in another order do not block each other', async () => {
  const [one, two] = [await aProduct(), await aProduct()];
  const answers = await eightAtOnce((at) => {
    const prices = [one, two].map((sku) => ({ sku, price: at, store_id: 0 }));
    return call('base-prices', { prices: at % 2 ? prices : prices.toReversed() });
  });
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const { body } = await call('base-prices-information', { skus: [one, two] });
  expect(body[0].price).toBe(body[1].price);
});

test('a special price holds for a website, begins today by default, and is removed by the same values', async () => {
  const sku = await aProduct();
  const row = { sku, price: 40, store_id: 1, price_to: '2026-12-24 00:00:00' };
  expect((await call('special-price', { prices: [row] })).body).toEqual([]);
  const from = '2026-11-23 00:00:00';
  expect((await call('special-price-information', { skus: [sku] })).body).toEqual([
    { ...row, price_from: from },
    { ...row, store_id: 2, price_from: from },
  ]);

  const other = { ...row, price: 41, price_from: from };
  const notFound = {
    message:
      'The requested price is not found. Row ID: SKU = %SKU, Store ID: %storeId, Price From: %priceFrom, Price To: %priceTo.',
    parameters: [sku, '1', from, '2026-12-24 00:00:00'],
  };
  expect((await call('special-price-delete', { prices: [other] })).body).toEqual([notFound]);
  const same = { ...row, price_from: from };
  expect((await call('special-price-delete', { prices: [same] })).body).toEqual([]);
  expect((await call('special-price-delete', { prices: [same] })).body).toEqual([notFound]);
  expect((await call('special-price-information', { skus: [sku] })).body).toEqual([]);
});

test('a special price begins on the day of the website where it is earliest, so that it holds at once', async () => {
  const zone = (name: string) => change('website', { website_id: 1 }, { time_zone: name });
  const sku = await aProduct();
  await zone('America/Los_Angeles');
  await call('special-price', { prices: [{ sku, price: 40, store_id: 1 }] });
  await zone('UTC');
  expect((await call('special-price-information', { skus: [sku] })).body[0].price_from).toBe('2026-11-22 00:00:00');
});

test('a website cannot take away the special price that holds everywhere', async () => {
  const sku = await aProduct();
  const row = { sku, price: 40, store_id: 0, price_from: '2026-11-01 00:00:00' };
  await call('special-price', { prices: [row] });
  expect((await call('special-price-delete', { prices: [{ ...row, store_id: 1 }] })).body).toHaveLength(1);
  expect((await call('special-price-information', { skus: [sku] })).body).toMatchObject([row]);
});

test.each([
  ['a price below zero', { price: -1 }, 'Invalid attribute Price = %price.'],
  ['no price', { price: undefined }, 'Invalid attribute Price = %price.'],
  ['no day', { price_from: 'tomorrow' }, 'Invalid attribute Price From = %priceFrom.'],
  ['30 February', { price_from: '2030-02-30' }, 'Invalid attribute Price From = %priceFrom.'],
  ['an hour that no day has', { price_to: '2030-02-01 25:00:00' }, 'Invalid attribute Price To = %priceTo.'],
  ['a day that no month has', { price_to: '2026-13-40 00:00:00' }, 'Invalid attribute Price To = %priceTo.'],
  ['an unknown view', { store_id: 77 }, 'Requested store is not found.'],
])('a special price with %s is told and not saved', async (_what, more, message) => {
  const sku = await aProduct();
  const { body } = await call('special-price', { prices: [{ sku, price: 40, store_id: 0, ...more }] });
  expect(body).toEqual([{ message: expect.stringContaining(message), parameters: expect.any(Array) }]);
  expect((await call('special-price-information', { skus: [sku] })).body).toEqual([]);
});

test('a cost is saved, read and deleted; an unknown sku deletes none', async () => {
  const sku = await aProduct();
  expect((await call('cost', { prices: [{ sku, cost: 9.99, store_id: 0 }] })).body).toEqual([]);
  expect((await call('cost', { prices: [{ sku, cost: -1, store_id: 0 }] })).body).toMatchObject([
    { parameters: ['-1', sku, '0'] },
  ]);
  const unknown = {
    status: 404,
    body: { message: "Requested products don't exist: %sku", parameters: { sku: 'NONE' } },
  };
  expect(await call('cost-delete', { skus: [sku, 'NONE'] })).toMatchObject(unknown);
  expect(await call('cost-information', { skus: [sku, 'NONE'] })).toMatchObject(unknown);
  expect((await call('cost-information', { skus: [sku] })).body).toEqual([{ sku, cost: 9.99, store_id: 0 }]);
  for (const _again of [1, 2]) expect((await call('cost-delete', { skus: [sku] })).body).toBe(true);
  expect((await call('cost-information', { skus: [sku] })).body).toEqual([]);
});

test.each(['base-prices-information', 'special-price-information'])('%s of an unknown product is not found', (path) =>
  expectRefused({
    send: () => call(path, { skus: ['NO-SUCH'] }),
    status: 404,
    said: "Requested products don't exist: %sku",
  }),
);
