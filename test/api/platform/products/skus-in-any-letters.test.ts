import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  await post('/V1/products', { product: { sku: stored, name: 'Café cup', price: 12 } });
});
afterAll(() => api.close());

const { fork, find, findOne, howMany } = booksOf(() => api.orm);
const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
const get = async (path: string) => (await call('GET', path)).body;
const post = (path: string, body: object) => call('POST', path, body);

/** As it was first saved: its last letter is one sign. */
const stored = 'Caf\u00E9-\u03A3';
/** The same product, in other letters: small, capital, put together of two signs. */
const letters = ['caf\u00E9-\u03C3', 'CAF\u00C9-\u03A3', 'cafe\u0301-\u03C3', 'CAFE\u0301-\u03A3'];
const inPath = (sku: string) => encodeURIComponent(sku);

test.each(letters)('a product is read, stocked and changed as %s, and answered as it is stored', async (sku) => {
  const path = `/V1/products/${inPath(sku)}`;
  expect(await get(path)).toMatchObject({ sku: stored, name: 'Café cup' });
  expect((await call('PUT', path, { product: { price: 13 } })).body).toMatchObject({ sku: stored, price: 13 });
  expect((await post('/V1/products', { product: { sku, price: 14 } })).body).toMatchObject({ sku: stored, price: 14 });
  const sourceItems = [{ sku, source_code: 'floor', quantity: 7, status: 1 }];
  expect((await post('/V1/inventory/source-items', { sourceItems })).status).toBe(200);
  expect(await find('inventory_source_item', { sku: stored }, 'quantity')).toEqual([{ quantity: '7.0000' }]);
  expect((await get(`/V1/stockItems/${inPath(sku)}`)).qty).toBe(7);
  expect((await get(`/V1/stockStatuses/${inPath(sku)}`)).qty).toBe(7);
  expect(await get(`/V1/inventory/get-product-salable-quantity/${inPath(sku)}/1`)).toBe(7);
  const asked = `skus[0]=${inPath(sku)}&skus[1]=NONE&stockId=1`;
  expect(await get(`/V1/inventory/are-products-salable?${asked}`)).toEqual([
    { sku: stored, stock_id: 1, salable: true },
    { sku: 'NONE', stock_id: 1, salable: false },
  ]);
  const filter = `searchCriteria[filter_groups][0][filters][0][field]=sku&searchCriteria[filter_groups][0][filters][0][value]=${inPath(sku)}`;
  expect((await get(`/V1/products?${filter}`)).items).toMatchObject([{ sku: stored }]);
  expect(await howMany('product', { name: 'Café cup' })).toBe(1);
});

test('prices of many products are those of the stored ones', async () => {
  const [small = '', large = ''] = letters;
  const place = { store_id: 0, price_from: '2030-01-01 00:00:00' };
  expect((await post('/V1/products/base-prices', { prices: [{ sku: small, store_id: 0, price: 15 }] })).body).toEqual(
    [],
  );
  expect((await post('/V1/products/special-price', { prices: [{ ...place, sku: large, price: 9 }] })).body).toEqual([]);
  const tier = { sku: small, website_id: 0, customer_group: 'ALL GROUPS', quantity: 3, price: 8, price_type: 'fixed' };
  expect((await post('/V1/products/tier-prices', { prices: [tier] })).body).toEqual([]);
  const skus = [large];
  expect((await post('/V1/products/base-prices-information', { skus })).body).toMatchObject([
    { sku: stored, price: 15 },
  ]);
  expect((await post('/V1/products/special-price-information', { skus })).body).toMatchObject([{ sku: stored }]);
  expect((await post('/V1/products/tier-prices-information', { skus })).body).toMatchObject([
    { sku: stored, price: 8 },
  ]);
});

test('links, options and websites know a product in any letters', async () => {
  const [small = ''] = letters;
  const items = [{ link_type: 'related', linked_product_sku: 'mug', position: 1 }];
  expect((await post(`/V1/products/${inPath(small)}/links`, { items })).status).toBe(200);
  expect(await get(`/V1/products/${inPath(small)}/links/related`)).toMatchObject([
    { sku: stored, linked_product_sku: 'MUG' },
  ]);
  expect((await call('DELETE', `/V1/products/${inPath(small)}/links/related/Mug`)).body).toBe(true);
  const option = { product_sku: small, title: 'Name', type: 'field', is_require: false, price: 1, price_type: 'fixed' };
  expect((await post('/V1/products/options', { option })).body).toMatchObject({ product_sku: stored });
  expect(await get(`/V1/products/${inPath(small)}/options`)).toMatchObject([{ product_sku: stored }]);
});

test('a sale names the stored product, and its stock is promised and leaves the shelf', async () => {
  const item = { ...aPostedLine(), sku: 'mug', qty_ordered: 2 };
  const { body: order } = await post('/V1/orders', { entity: aPostedSale({ items: [item], customer_id: undefined }) });
  expect(order.items).toMatchObject([{ sku: 'MUG' }]);
  expect(await findOne('inventory_reservation', { order_id: order.entity_id }, 'sku', 'quantity')).toEqual({
    sku: 'MUG',
    quantity: '-2.0000',
  });
  const [line] = order.items;
  const again = { entity: { entity_id: order.entity_id, items: [{ item_id: line.item_id, sku: 'Mug' }] } };
  expect((await post('/V1/orders', again)).body.items).toMatchObject([{ sku: 'MUG' }]);
  expect((await post(`/V1/order/${order.entity_id}/ship`, {})).status).toBe(200);
  expect(await findOne('inventory_source_item', { sku: 'MUG' }, 'quantity')).toEqual({ quantity: '98.0000' });
});

test('eight registers that write a new SKU in other letters at once make one product', async () => {
  const writings = ['Tea', 'TEA', 'tea', 'tEa', 'TeA', 'tEA', 'TEa', 'teA'];
  let at = 0;
  const answers = await eightAtOnce(() =>
    post('/V1/products', { product: { sku: writings[at++ % 8], name: 'Tea', price: 3 } }),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(new Set(answers.map(({ body }) => body.sku)).size).toBe(1);
  expect(await howMany('product', { name: 'Tea' })).toBe(1);
});

test('the product is deleted in any letters, with its stock', async () => {
  await post('/V1/products', { product: { sku: 'Gone', name: 'Gone', price: 3 } });
  await post('/V1/inventory/source-items', {
    sourceItems: [{ sku: 'GONE', source_code: 'floor', quantity: 1, status: 1 }],
  });
  expect((await call('DELETE', '/V1/products/gONE')).body).toBe(true);
  expect(await find('inventory_source_item', { sku: 'Gone' })).toEqual([]);
});
