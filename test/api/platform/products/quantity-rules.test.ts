import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { forgetSettings } from '../../../support/books/settings.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
let stockId: number;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  ({ stock_id: stockId } = await findOne('inventory_stock', {}, 'stock_id'));
});
beforeEach(async () => {
  await forgetSettings(books, 'cataloginventory/');
  const none = { backorders: null, min_sale_qty: null, max_sale_qty: null };
  await change('product', {}, { ...none, enable_qty_increments: null, qty_increments: null });
});
afterAll(() => api.close());

const books = booksOf(() => api.orm);
const { fork, findOne, change, configure } = books;
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
const set = (stockItem: object) => call('PUT', '/V1/products/MUG/stockItems/1', { stockItem });
const item = async () => (await call('GET', '/V1/stockItems/MUG')).body;
const shopSays = (name: string, value: string) => configure(`cataloginventory/item_options/${name}`, value);
const ask = async (qty: number) =>
  (await call('GET', `/V1/inventory/is-product-salable-for-requested-qty/MUG/${stockId}/${qty}`)).body;

const shops = {
  ...{ use_config_min_sale_qty: 1, min_sale_qty: 1, use_config_max_sale_qty: true, max_sale_qty: 10_000 },
  ...{ use_config_backorders: true, backorders: 0, use_config_qty_increments: true, qty_increments: 0 },
  ...{ use_config_enable_qty_inc: true, enable_qty_increments: false },
};

test('a product without rules of its own follows the shop, on every answer that shows its stock', async () => {
  expect(await item()).toMatchObject(shops);
  expect((await call('GET', '/V1/products/MUG')).body.extension_attributes.stock_item).toMatchObject(shops);
  for (const [name, value] of [
    ['min_sale_qty', '2'],
    ['max_sale_qty', '8'],
    ['enable_qty_increments', '1'],
    ['qty_increments', '2'],
    ['backorders', '2'],
  ] as const)
    await shopSays(name, value);

  const now = { min_sale_qty: 2, max_sale_qty: 8, enable_qty_increments: true, qty_increments: 2, backorders: 2 };
  expect(await item()).toMatchObject({ ...shops, ...now });
  expect((await ask(1)).errors).toMatchObject([{ message: 'The fewest you may purchase is 2.' }]);
  expect((await ask(3)).errors).toMatchObject([{ code: 'is_correct_qty-qty_increment' }]);
});

test('a setting of the shop that is no number counts as the platform’s', async () => {
  await shopSays('min_sale_qty', 'six');
  await shopSays('max_sale_qty', '-3');
  await shopSays('backorders', '7');
  expect(await item()).toMatchObject(shops);
  await shopSays('max_sale_qty', '');
  expect(await item()).toMatchObject({ max_sale_qty: 0 });
  expect(await ask(10_001)).toMatchObject({ errors: [{ code: 'back_order-disabled' }, {}, {}] });
});

test('rules of its own are kept, told, and hold for what is asked', async () => {
  const own = { min_sale_qty: 4, max_sale_qty: 12, enable_qty_increments: 1, qty_increments: '4', backorders: 2 };
  for (const time of ['once', 'twice']) expect({ time, ...(await set(own)) }).toMatchObject({ time, status: 200 });
  expect(await item()).toMatchObject({
    ...{ ...own, enable_qty_increments: true, qty_increments: 4, use_config_min_sale_qty: 0 },
    ...{ use_config_max_sale_qty: false, use_config_backorders: false, use_config_qty_increments: false },
    use_config_enable_qty_inc: false,
  });

  const because = (code: string, message: string) => ({ salable: false, errors: [{ code, message }] });
  expect(await ask(8)).toEqual({ salable: true, errors: [] });
  expect(await ask(3)).toEqual(because('is_correct_qty-min_sale_qty', 'The fewest you may purchase is 4.'));
  expect(await ask(16)).toEqual(
    because('is_correct_qty-max_sale_qty', 'The requested qty exceeds the maximum qty allowed in shopping cart'),
  );
  expect(await ask(6)).toEqual(
    because('is_correct_qty-qty_increment', 'You can buy this product only in quantities of 4 at a time.'),
  );
  const { body } = await call(
    'GET',
    `/V1/inventory/are-product-salable-for-requested-qty?skuRequests[0][sku]=MUG&skuRequests[0][qty]=6&stockId=${stockId}`,
  );
  expect(body).toMatchObject([{ salable: false, errors: [{ code: 'is_correct_qty-qty_increment' }] }]);
});

test('the answer can be sent back, and the shop’s rule holds again when its flag says so', async () => {
  await set(await item());
  expect(await item()).toMatchObject(shops);
  await set({ min_sale_qty: 4, backorders: 1, max_sale_qty: 9 });
  const own = await item();
  await set(own);
  expect(await item()).toEqual(own);

  await set({ use_config_min_sale_qty: 1, min_sale_qty: 4, use_config_backorders: true });
  expect(await item()).toMatchObject({ ...shops, max_sale_qty: 9, use_config_max_sale_qty: false });
  await set({ use_config_qty_increments: false, use_config_max_sale_qty: false, use_config_min_sale_qty: '0' });
  expect(await item()).toMatchObject({ use_config_qty_increments: false, qty_increments: 0, max_sale_qty: 9 });
  await shopSays('min_sale_qty', '5');
  expect(await item()).toMatchObject({ use_config_min_sale_qty: 0, min_sale_qty: 1 });
});

test('a product is saved together with its rules', async () => {
  const stockItem = { min_sale_qty: 3, enable_qty_increments: true, qty_increments: 3 };
  await call('PUT', '/V1/products/MUG', { product: { extension_attributes: { stock_item: stockItem } } });
  expect(await item()).toMatchObject({ ...stockItem, use_config_max_sale_qty: true });
  await call('PUT', '/V1/products/MUG', { product: { name: 'Mug' } });
  expect(await item()).toMatchObject(stockItem);
});

test.each([
  ['minSaleQty', -1],
  ['maxSaleQty', -0.5],
  ['qtyIncrements', -6],
  ['backorders', 3],
  ['backorders', -1],
])('%s cannot be %d, and then nothing is saved', async (fieldName, value) => {
  const before = await item();
  expect(await set({ qty: 7, [fieldName]: value })).toMatchObject({
    status: 400,
    body: { parameters: { fieldName, value } },
  });
  expect(await item()).toEqual(before);
});

test('the shop’s word on backorders decides whether an empty shelf is still for sale', async () => {
  await change('inventory_source_item', { sku: 'MUG' }, { quantity: 1 });
  expect(await ask(5)).toMatchObject({ salable: false });
  await shopSays('backorders', '1');
  expect(await ask(5)).toEqual({ salable: true, errors: [] });
  await set({ backorders: 0 });
  expect(await ask(5)).toMatchObject({ salable: false, errors: [{ code: 'back_order-disabled' }, {}, {}] });
});
