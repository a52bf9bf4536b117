import { expect, test } from 'vitest';
import fc from 'fast-check';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { expectedLegs } from '../../../api/wire/refund-legs.ts';
import { amount } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { aReturn } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { seed } from '../../support/seed.ts';
import { opensAShop, api, locationId, preview } from './previewed-refunds.ts';

opensAShop();

const { memosOf, theOrder, fork } = booksOf(() => api.orm);

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

    await bookSettlement(fork(), {
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

/** Of the one memo of an order, and of the order's own books. */
async function totalsOf(orderId: number) {
  const [memo] = await memosOf(orderId, 'grand_total', 'base_grand_total');
  const order = await theOrder(orderId, 'total_refunded', 'base_total_refunded');
  return {
    ...{ memo: Number(memo?.grand_total), base_memo: Number(memo?.base_grand_total) },
    ...{ refunded: Number(order.total_refunded), base_refunded: Number(order.base_total_refunded) },
  };
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
