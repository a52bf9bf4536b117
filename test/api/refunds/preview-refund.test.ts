import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { expectedLegs } from '../../../api/wire/refund-legs.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { amount } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { seed } from '../../support/seed.ts';

let api: TestApi;
let locationId: number;
beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(api.orm.em.fork()));
  // Whatever is drawn, the shelves hold it.
  await api.orm.em.fork().execute('update inventory_source_item set quantity = 100000');
});
afterAll(() => api.close());

const preview = (body: object) => api.call('POST', '/V1/pos/refunds/preview', { token: api.tokens.register, body });

test('one of two mugs gives back its row and its tax', async () => {
  const order = await anOrder(api.orm.em.fork());
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

test('the channel is repeated; goodwill is added and a fee subtracted, ex tax', async () => {
  const order = await anOrder(api.orm.em.fork());
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
  const order = await anOrder(api.orm.em.fork());
  const off = { path: 'vendor_store_credit/general/enabled', value: '0' };
  const asked = { orderId: order.orderId, items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]) };
  await setConfigValue(api.orm.em.fork(), secretBox, off);
  try {
    expect(await preview({ ...asked, channel: 'store_credit' })).toMatchObject({
      status: 400,
      body: { message: 'No provider is installed for credit type %1.', parameters: ['store_credit'] },
    });
    expect((await preview({ ...asked, channel: 'original' })).body.handback).toBe(54);
  } finally {
    await setConfigValue(api.orm.em.fork(), secretBox, { ...off, value: null });
  }
});

test.each(['original', 'store_credit'])(
  'a settle with store credit that acted on a preview of channel %s finds no difference',
  async (channel) => {
    const customerId = await aCustomerWithCredit(api.orm, '1000');
    const credits = [{ credit_type: 'store_credit', amount: '20' }];
    const { returnId, orderId, orderItemId } = await aReturn(api.orm, {
      locationId,
      order: { customerId, credits, currency: 'CAD', rate: '1.36', storeId: 2 },
      refundMethod: 'store_credit',
    });
    await initialiseReturn(api.orm.em, { returnId, canRefundThrough: () => false });
    const items = JSON.stringify([{ order_item_id: orderItemId, qty: 1 }]);
    const shown = (await preview({ orderId, items, channel })).body;
    const returned = shown.legs.filter((leg: { direction: string }) => leg.direction === 'returned');
    const given = shown.legs.reduce((sum: number, leg: { amount: number }) => sum + leg.amount, shown.handback);
    expect(given).toBeCloseTo(shown.refund_total, 4);
    expect(returned).toHaveLength(1);
    expect(shown.handback === 0).toBe(channel === 'store_credit');

    await bookSettlement(api.orm.em.fork(), {
      returnId,
      method: 'store_credit',
      options: plainSettlement,
      requestId: `s-${returnId}`,
      expectedLegs: expectedLegs.parse(shown.legs) ?? [],
    });

    const settled = (await api.call('GET', `/V1/pos/rma/${returnId}`, { token: api.tokens.register })).body;
    expect(settled).toMatchObject({ status: 'closed', refund_legs: returned, refund_difference: null });
  },
);

test('amounts come in the order’s currency: 13.60 CAD less is 10 USD less', async () => {
  const order = await anOrder(api.orm.em.fork(), {
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
  const order = await anOrder(api.orm.em.fork(), { ...wanted, lines: [{ sku: 'MUG', qty: 3, price: '12.64' }] });
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
  ['a channel nobody knows', { items: [{ qty: 1 }], channel: 'cash' }, 400],
])('a preview of %s is refused', async (_case, body, status) => {
  const order = await anOrder(api.orm.em.fork());
  const items = Array.isArray(body.items)
    ? JSON.stringify(body.items.map((row) => ({ order_item_id: order.itemIds[0], ...row })))
    : body.items;
  expect((await preview({ orderId: order.orderId, ...body, items })).status).toBe(status);
});

test('a preview writes nothing', async () => {
  const order = await anOrder(api.orm.em.fork());
  const before = await api.orm.em
    .fork()
    .execute('select xmin::text from sales_order where entity_id = ?', [order.orderId]);
  await preview({ orderId: order.orderId, items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 2 }]) });
  expect(
    await api.orm.em.fork().execute('select xmin::text from sales_order where entity_id = ?', [order.orderId]),
  ).toEqual(before);
  expect(await api.orm.em.fork().execute('select 1 from sales_creditmemo where order_id = ?', [order.orderId])).toEqual(
    [],
  );
});

test.each([
  ['adjustmentNegative', 1.005, 52.99],
  ['adjustmentPositive', 2.505, 56.51],
  ['shippingAmount', 3.333, 57.33],
])('an %s of %d is counted in cents: %d goes back', async (field, value, total) => {
  const order = await anOrder(api.orm.em.fork(), { shipping: '10' });
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

/** Of the one memo of an order, and of the order's own books. */
async function totalsOf(orderId: number) {
  const [totals] = await api.orm.em.fork().execute(
    `select m.grand_total::float8 as memo, m.base_grand_total::float8 as base_memo,
       o.total_refunded::float8 as refunded, o.base_total_refunded::float8 as base_refunded
     from sales_creditmemo m join sales_order o on o.entity_id = m.order_id where o.entity_id = ?`,
    [orderId],
  );
  return totals;
}

test('a settlement equals its preview, for any price, tax, quantity and adjustment', async () => {
  const cents = fc.integer({ min: 1, max: 99_999 });
  await fc.assert(
    fc.asyncProperty(
      cents,
      fc.integer({ min: 0, max: 2_000 }),
      fc.integer({ min: 1, max: 5 }),
      // In 1/10 000, as finely as a register may ask.
      fc.integer({ min: 0, max: 50_000 }),
      fc.nat(),
      async (price, tax, qty, goodwill, pick) => {
        const lines = [{ sku: 'PLATE', qty, price: (price / 100).toFixed(2), tax: (tax / 100).toFixed(2) }];
        const asked = 1 + (pick % qty);
        const rma = await aReturn(api.orm, {
          locationId,
          refundMethod: 'cash',
          order: { lines, method: 'checkmo' },
          item: { qtyRequested: pieces(asked) },
        });
        const promised = await preview({
          orderId: rma.orderId,
          items: JSON.stringify([{ order_item_id: rma.orderItemId, qty: asked }]),
          adjustmentNegative: Math.min(goodwill, price * 100) / 10_000,
        });
        await initialiseReturn(api.orm.em, { returnId: rma.returnId, canRefundThrough: () => false });
        const options = {
          adjustmentPositive: amount(0),
          adjustmentNegative: amount(Math.min(goodwill, price * 100)),
          shippingAmount: null,
          notifyCustomer: false,
        };
        await bookSettlement(api.orm.em, {
          returnId: rma.returnId,
          method: 'cash',
          options,
          requestId: `p-${rma.returnId}`,
        });

        const booked = await api.call('GET', `/V1/pos/rma/${rma.returnId}`, { token: api.tokens.register });
        expect(booked.body.base_refund_total).toBe(promised.body.base_refund_total);
        expect(booked.body.base_handback).toBe(promised.body.base_handback);
        expect(await totalsOf(rma.orderId)).toEqual({
          memo: promised.body.refund_total,
          base_memo: promised.body.base_refund_total,
          refunded: promised.body.refund_total,
          base_refunded: promised.body.base_refund_total,
        });
      },
    ),
    { seed, numRuns: 15 },
  );
});
