import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(async () => {
  await booksHold();
  await api.close();
});

const { find, fork, booksHold, shelf } = booksOf(() => api.orm);

const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });

test('no credit memo can be cancelled, nor one that there is not', async () => {
  for (const id of [999_999, 0]) {
    expect(await call('PUT', `/V1/creditmemo/${id}`)).toMatchObject({
      status: 400,
      body: { message: 'You can not cancel Credit Memo' },
    });
  }
});

test('a refund of one invoice brings back no goods of another', async () => {
  const lines = ['MUG', 'PLATE'].map((sku) => ({ sku, qty: 1, price: '50' }));
  const { orderId, itemIds } = await anOrder(fork(), { lines, method: 'provider_a', paid: false });
  const [mug, plate] = itemIds;
  const { body: ofMug } = await call('POST', `/V1/order/${orderId}/invoice`, {
    items: [{ order_item_id: mug, qty: 1 }],
  });
  await call('POST', `/V1/order/${orderId}/invoice`, {});
  const onShelf = await shelf('PLATE');

  const toShelf = { extension_attributes: { return_to_stock_items: [mug, plate] } };
  expect(await call('POST', `/V1/invoice/${ofMug}/refund`, { arguments: toShelf })).toMatchObject({
    status: 400,
    body: {
      message: 'Creditmemo Document Validation Error(s):\nThe "PLATE" product is not part of the current creditmemo.',
    },
  });
  expect(await find('sales_creditmemo', { order_id: orderId })).toEqual([]);
  expect(await shelf('PLATE')).toBe(onShelf);
});

test('the order 0 is no order to mail', async () => {
  expect(await call('POST', '/V1/orders/0/emails')).toMatchObject({
    status: 400,
    body: { message: 'An ID is needed. Set the ID and try again.' },
  });
});
