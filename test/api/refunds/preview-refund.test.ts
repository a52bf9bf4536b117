import { expect, test } from 'vitest';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aReturn } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, api, locationId, preview } from './previewed-refunds.ts';

opensAShop();

const { memosOf, theOrder, fork } = booksOf(() => api.orm);

test('one of two mugs gives back its row and its tax', async () => {
  const order = await anOrder(fork());
  const answer = await preview({
    orderId: order.orderId,
    items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]),
  });
  expect(answer.body).toEqual({
    order_id: order.orderId,
    channel: 'original',
    currency_code: 'USD',
    base_refund_total: 54,
    refund_total: 54,
    base_handback: 54,
    handback: 54,
    base_returnable_max: 108,
    returnable_max: 108,
    legs: [],
    lines: [{ order_item_id: order.itemIds[0], qty: 1, base_row_total: 50, base_credit_share: 0 }],
  });
});

test('a line that is named twice is previewed once, with both', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const one = { order_item_id: itemIds[0], qty: 1 };
  const asked = (...items: object[]) => preview({ orderId, items: JSON.stringify(items) });
  const [twice, both] = [await asked(one, one), await asked({ ...one, qty: 2 })];
  expect(twice.body).toEqual(both.body);
  expect(twice.body).toMatchObject({ refund_total: 108, lines: [{ order_item_id: itemIds[0], qty: 2 }] });
  expect(await asked(one, one, one)).toMatchObject({ status: 400 });
});

test('the channel is repeated; goodwill is added and a fee subtracted, ex tax', async () => {
  const order = await anOrder(fork());
  const answer = await preview({
    orderId: order.orderId,
    items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]),
    channel: 'store_credit',
    adjustmentPositive: 3,
    adjustmentNegative: 1,
    shippingAmount: 0,
  });
  expect(answer.body).toMatchObject({ channel: 'store_credit', refund_total: 56, handback: 0, base_handback: 0 });
  expect(answer.body.legs).toEqual([
    {
      kind: 'store_credit',
      provider_code: 'store_credit',
      applies_as: 'tender',
      direction: 'issued',
      base_amount: 56,
      amount: 56,
    },
  ]);
});

test('channel store_credit is refused where no provider has store credit, and original is not', async () => {
  const order = await anOrder(fork());
  const off = { path: 'vendor_store_credit/general/enabled', value: '0' };
  const asked = { orderId: order.orderId, items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]) };
  await setConfigValue(fork(), secretBox, off);
  try {
    expect(await preview({ ...asked, channel: 'store_credit' })).toMatchObject({
      status: 400,
      body: { message: 'No provider is installed for credit type %1.', parameters: ['store_credit'] },
    });
    expect((await preview({ ...asked, channel: 'original' })).body.handback).toBe(54);
  } finally {
    await setConfigValue(fork(), secretBox, { ...off, value: null });
  }
});

test('amounts come in the order’s currency: 13.60 CAD less is 10 USD less', async () => {
  const order = await anOrder(fork(), {
    storeId: 2,
    currency: 'CAD',
    rate: '1.36',
    lines: [{ sku: 'MUG', qty: 2, price: '50' }],
  });
  const answer = await preview({
    orderId: order.orderId,
    items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]),
    adjustmentNegative: '13.60',
  });
  expect(answer.body).toMatchObject({ currency_code: 'CAD', base_refund_total: 40, refund_total: 54.4 });
});

test('the amount that can still be refunded is exact in the order’s own currency', async () => {
  const wanted = { storeId: 2, currency: 'CAD', rate: '1.35', method: 'provider_a', lastTransId: 'pay_9' };
  const order = await anOrder(fork(), { ...wanted, lines: [{ sku: 'MUG', qty: 3, price: '12.64' }] });
  const items = JSON.stringify([{ order_item_id: order.itemIds[0], qty: 3 }]);
  expect((await preview({ orderId: order.orderId, items })).body).toMatchObject({
    refund_total: 51.18,
    base_returnable_max: 37.92,
    returnable_max: 51.18,
  });

  const { orderId, orderItemId, returnId } = await aReturn(api.orm, {
    locationId,
    order: { ...wanted, lines: [{ sku: 'MUG', qty: 2, price: '37.93' }] },
  });
  await initialiseReturn(api.orm.em, { returnId, canRefundThrough: () => true });
  const rest = await preview({ orderId, items: JSON.stringify([{ order_item_id: orderItemId, qty: 1 }]) });
  expect(rest.body).toMatchObject({ refund_total: 51.21, base_returnable_max: 37.93, returnable_max: 51.21 });
});

test.each([
  ['an unknown order', { orderId: 999_999, items: '[{"order_item_id":1,"qty":1}]' }, 404],
  ['no items', { items: '[]' }, 400],
  ['more than is left', { items: [{ qty: 3 }] }, 400],
  ['less than none', { items: [{ qty: -1 }] }, 400],
  ['a line of another order', { items: [{ order_item_id: 999_999, qty: 1 }] }, 400],
  ['rows that are no text of rows', { items: JSON.stringify('[{"order_item_id":1,"qty":1}]') }, 400],
  ['a fee above the refund', { items: [{ qty: 1 }], adjustmentNegative: 60 }, 400],
  ['a fee below nothing', { items: [{ qty: 1 }], adjustmentNegative: -1 }, 400],
  ['goodwill below nothing', { items: [{ qty: 1 }], adjustmentPositive: -1 }, 400],
  ['goodwill above what was paid', { items: [{ qty: 2 }], adjustmentPositive: 1 }, 400],
  ['shipping below nothing', { items: [{ qty: 1 }], shippingAmount: -1 }, 400],
  ['an unknown channel', { items: [{ qty: 1 }], channel: 'cash' }, 400],
])('a preview of %s is refused', async (_case, body, status) => {
  const order = await anOrder(fork());
  const items = Array.isArray(body.items)
    ? JSON.stringify(body.items.map((row) => ({ order_item_id: order.itemIds[0], ...row })))
    : body.items;
  expect((await preview({ orderId: order.orderId, ...body, items })).status).toBe(status);
});

test('a preview writes nothing', async () => {
  const order = await anOrder(fork());
  const before = await theOrder(order.orderId, 'xmin');
  await preview({ orderId: order.orderId, items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 2 }]) });
  expect(await theOrder(order.orderId, 'xmin')).toEqual(before);
  expect(await memosOf(order.orderId)).toEqual([]);
});

test.each([
  ['adjustmentNegative', 1.005, 52.99],
  ['adjustmentPositive', 2.505, 56.51],
  ['shippingAmount', 3.333, 57.33],
])('an %s of %d is counted in cents: %d goes back', async (field, value, total) => {
  const order = await anOrder(fork(), { shipping: '10' });
  const answer = await preview({
    orderId: order.orderId,
    items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]),
    // A zero would let all of the shipping come back.
    shippingAmount: 0.01,
    [field]: value,
  });
  const shipping = field === 'shippingAmount' ? 0 : 0.01;
  const expected = Number((total + shipping).toFixed(2));
  expect(answer.body).toMatchObject({ base_refund_total: expected, refund_total: expected, handback: expected });
});
