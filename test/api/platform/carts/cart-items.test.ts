import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCartShop, aShopper } from '../../../support/builders/cart.ts';
import { manyProducts } from '../../../support/builders/many-products.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(fork());
});
afterAll(() => api.close());

const books = booksOf(() => api.orm);
const { fork } = books;

test('a customer opens one cart, however often and however concurrently', async () => {
  const { call } = await aShopper(api);

  const answers = await eightAtOnce(() => call('POST'));

  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 200, body: expect.any(Number) });
});

test('a customer without a cart gets 404 from the cart’s route and from those of its parts', async () => {
  const { call, customerId } = await aShopper(api);

  expect(await call('GET')).toMatchObject({
    status: 404,
    body: {
      message: 'No such entity with %fieldName = %fieldValue',
      parameters: { fieldName: 'customerId', fieldValue: customerId },
    },
  });
  const noCart = { status: 404, body: { message: 'Current customer does not have an active cart.' } };
  const item = { cartItem: { sku: 'MUG', qty: 1 } };
  expect(await call('GET', '/items')).toMatchObject(noCart);
  expect(await call('POST', '/items', item)).toMatchObject(noCart);
  expect(await call('PUT', '/items/1', item)).toMatchObject(noCart);
  expect(await call('DELETE', '/items/1')).toMatchObject(noCart);
  expect(await call('GET', '/totals')).toMatchObject(noCart);
  expect(await call('GET', '/coupons')).toMatchObject(noCart);
  expect(await call('PUT', '/coupons/TENOFF')).toMatchObject(noCart);
  expect(await call('DELETE', '/coupons')).toMatchObject(noCart);
  expect(await call('GET', '/billing-address')).toMatchObject(noCart);
  expect(await call('GET', '/shipping-methods')).toMatchObject(noCart);
  expect(await call('GET', '/payment-methods')).toMatchObject(noCart);
  expect(await call('GET', '/payment-information')).toMatchObject(noCart);
  expect(await call('PUT', '/order', {})).toMatchObject(noCart);
});

test('a cart is read as the platform has it', async () => {
  const { call, open, put, customerId } = await aShopper(api);
  const id = await open();
  await put('MUG', 2);

  const { body } = await call('GET');

  expect(body).toMatchObject({
    id,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    is_active: true,
    is_virtual: false,
    items: [{ sku: 'MUG', qty: 2, name: 'Mug', price: 50, product_type: 'simple', quote_id: String(id) }],
    items_count: 1,
    items_qty: 2,
    customer: { id: customerId, group_id: 1, website_id: 1 },
    currency: { base_currency_code: 'USD', quote_currency_code: 'USD' },
    store_id: 1,
  });
});

test('a product that is put in again adds up; a change sets; a line goes once', async () => {
  const { call, open, put } = await aShopper(api);
  const quoteId = await open();

  const first = await put('MUG', 2);
  expect(await put('MUG', '1')).toMatchObject({ status: 200, body: { item_id: first.body.item_id, qty: 3 } });
  const line = `/items/${first.body.item_id}`;
  expect(await call('PUT', line, { cart_item: { qty: 7 } })).toMatchObject({ status: 200, body: { qty: 7 } });
  const again = { cartItem: { item_id: first.body.item_id, sku: 'MUG', qty: 4 } };
  expect(await call('POST', '/items', again)).toMatchObject({ status: 200, body: { qty: 4 } });
  expect(await call('DELETE', line)).toMatchObject({ status: 200, body: true });
  expect(await call('DELETE', line)).toMatchObject({
    status: 404,
    body: { message: "The %1 Cart doesn't contain the %2 item.", parameters: [quoteId, first.body.item_id] },
  });
  expect(await call('GET', '/items')).toMatchObject({ status: 200, body: [] });
});

test('eight who put one more in at once put eight in', async () => {
  const { open, put, call } = await aShopper(api);
  await open();

  await eightAtOnce(() => put('MUG'));

  expect((await call('GET', '/items')).body).toMatchObject([{ qty: 8 }]);
});

describe('refused, with the cart as it was:', () => {
  const float = { message: expect.stringContaining('The "float" type was expected') };
  const notAvailable = { message: 'Product that you are trying to add is not available.' };
  const notThere = { message: 'The requested qty is not available' };
  const noDecimals = { message: 'You cannot use decimal quantity for this product.' };
  const wrongQty = { message: 'Invalid value of "%value" provided for the %fieldName field.' };

  test.each([
    [{ sku: 'MUG', qty: 0 }, 400, wrongQty],
    [{ sku: 'MUG', qty: -1 }, 400, wrongQty],
    [{ sku: 'MUG', qty: '-0' }, 400, wrongQty],
    [{ sku: 'MUG', qty: 0.5 }, 400, noDecimals],
    [{ sku: 'CHEESE', qty: 0.00001 }, 400, float],
    [{ sku: 'CHEESE', qty: 12.6 }, 400, notThere],
    [{ sku: 'MUG', qty: 101 }, 400, notThere],
    [{ sku: 'MUG', qty: 'two' }, 400, float],
    [{ sku: 'MUG', qty: '1e3' }, 400, float],
    [{ sku: 'MUG', qty: 1e15 }, 400, float],
    [{ sku: 'MUG', qty: [1] }, 400, float],
    [
      { sku: 'RUG', qty: 10_001 },
      400,
      { message: 'The requested qty exceeds the maximum qty allowed in shopping cart' },
    ],
    [{ sku: 'SIGN', qty: 1 }, 400, notAvailable],
    [{ sku: 'FOREIGN', qty: 1 }, 400, notAvailable],
    [{ sku: 'SHIRT', qty: 1 }, 400, { message: 'You need to choose options for your item.' }],
    [{ sku: 'NOSUCH', qty: 1 }, 404, { message: expect.stringContaining("that was requested doesn't exist") }],
    [{ sku: 'mugs', qty: 1 }, 404, {}],
    [{ sku: '', qty: 1 }, 404, {}],
    [{ sku: "MUG' or 1=1 --", qty: 1 }, 404, {}],
    [{ sku: 'M'.repeat(65), qty: 1 }, 400, { parameters: { fieldName: 'sku', maxLength: 64 } }],
    [{ sku: 'MUG' }, 400, { parameters: { fieldName: 'qty' } }],
    [{ qty: 1 }, 400, { parameters: { fieldName: 'sku' } }],
    [{ sku: 'MUG', qty: null }, 400, { parameters: { fieldName: 'qty' } }],
    [{ sku: 'MUG', qty: 1, colour: 'red' }, 400, {}],
    [{ sku: 'MUG', qty: 1, item_id: 999_999 }, 404, {}],
  ])('%j', async (cartItem, status, body) => {
    const { open, call } = await aShopper(api);
    await open();

    expect(await call('POST', '/items', { cartItem })).toMatchObject({ status, body });
    expect((await call('GET', '/items')).body).toEqual([]);
  });

  test('a line that grows beyond what there is', async () => {
    const { open, put, call } = await aShopper(api);
    await open();
    await put('MUG', 60);

    expect(await put('MUG', 60)).toMatchObject({ status: 400, body: notThere });
    expect((await call('GET', '/items')).body).toMatchObject([{ qty: 60 }]);
  });

  test('goods worth more than can be counted', async () => {
    const { open, put, call } = await aShopper(api);
    await open();

    expect(await put('GOLD', 10_000)).toMatchObject({
      status: 400,
      body: { message: 'The cart is worth more than can be counted.' },
    });
    expect((await call('GET', '/items')).body).toEqual([]);
  });
});

test('by weight any part may be bought, on order more than there is', async () => {
  const { open, put } = await aShopper(api);
  await open();

  expect(await put('CHEESE', 0.25)).toMatchObject({ status: 200, body: { qty: 0.25, price: 21.9 } });
  expect(await put('RUG', 3)).toMatchObject({ status: 200, body: { qty: 3 } });
});

test('a cart of a thousand lines is full, and is added up in good time', async () => {
  const { open, put, call, totals } = await aShopper(api);
  const quoteId = await open();
  const products = await manyProducts(books, {
    ...{ sku: 'BULK', count: 1_000, price: 1.01, website_ids: [1], manage_stock: false },
  });
  await books.insertAll(
    'quote_item',
    products.map((id) => ({ quote_id: quoteId, product_id: id, qty: 3 })),
  );

  expect(await put('MUG')).toMatchObject({
    status: 400,
    body: { message: 'Maximum items of type "%type" is %max', parameters: { type: 'cartItem', max: 1_000 } },
  });
  expect(await put('BULK-7')).toMatchObject({ status: 200, body: { qty: 4 } });
  expect(await totals()).toMatchObject({ subtotal: 3031.01, items_qty: 3001 });
  expect((await call('GET', '/items')).body).toHaveLength(1_000);
});
