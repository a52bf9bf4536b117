import { describe, expect, test } from 'vitest';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { readLayaway } from '../../../db/layaways/read-layaway.ts';
import { payInvoice } from '../../../db/platform/invoices/pay-invoice.ts';
import { updateOrder } from '../../../db/platform/order-saves/update-order.ts';
import { verify } from '../../../books/verify/verify.ts';
import { money } from '../../../domain/money/amount.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { booksOf } from '../../support/books.ts';
import { outcomesAtOnce } from '../../support/rivals.ts';
import { opensAShop, orm, order } from './paid-layaways.ts';

opensAShop();

const { memosOf, invoicesOf, fork, refuseWrites, promised, storyOf, howMany, change, remove, booksHold } = booksOf(
  () => orm,
);
const aPaidLayaway = async (amount: string, wanted: Parameters<typeof aLayaway>[1] = {}) => {
  const { orderId } = await aLayaway(fork(), wanted);
  await capturePayment(orm.em, aPayment(orderId, amount));
  return orderId;
};

test('deposit less fee: memo, invoice, order and promised goods in one step (worked example D)', async () => {
  const orderId = await aPaidLayaway('40');
  const reason = 'Ann moved away';

  expect(await cancelLayaway(orm.em, aCancellation(orderId, 20, { reason }))).toEqual({ status: 'cancelled' });

  const memos = await memosOf(orderId);
  expect(memos).toMatchObject([{ grand_total: '32.0000', adjustment_positive: '32.0000', shipping_amount: '0.0000' }]);
  expect(await howMany('sales_creditmemo_item', { parent_id: memos[0]!['entity_id'] })).toBe(0);
  expect(await order(orderId)).toEqual({
    state: 'canceled',
    status: 'canceled',
    pos_layaway_status: 'cancelled',
    total_paid: '40.0000',
    total_refunded: '32.0000',
    total_canceled: '68.0000',
    total_invoiced: '0.0000',
  });
  expect(await invoicesOf(orderId, 'state')).toEqual([{ state: 3 }]);
  expect(await promised(orderId)).toBe(0);
  expect(await readLayaway(fork(), orderId)).toMatchObject({
    status: 'cancelled',
    balanceOwed: 0,
    totalCaptured: money('40'),
    cancellation: {
      fee: money('8'),
      refund: money('32'),
      refundMethod: 'cash',
      creditMemoIncrementId: memos[0]!['increment_id'],
      legs: [],
    },
  });
  expect((await storyOf(orderId)).slice(-3)).toEqual([
    'We refunded $32.00 offline.',
    'Layaway cancelled. Fee kept: $8.00. To hand back: $32.00 by cash. Reason: Ann moved away',
    'Canceled order offline',
  ]);
  await booksHold();
});

test.each([
  [0, '40.0000', 40, 0],
  [100, '0.0000', 0, 40],
  [33.3333, '26.6700', 26.67, 13.33],
])('a fee of %d %%: a memo of %s, %d to hand back, %d kept', async (percent, memo, refund, fee) => {
  const orderId = await aPaidLayaway('40');
  await cancelLayaway(orm.em, aCancellation(orderId, percent));
  expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: memo }]);
  const { cancellation } = await readLayaway(fork(), orderId);
  expect(cancellation).toMatchObject({ refund: money(String(refund)), fee: money(String(fee)) });
  await booksHold();
});

test('one that is overdue, one in another currency, one with shipping', async () => {
  for (const wanted of [
    { expiresAt: new Date(Date.now() - 86_400_000), columns: { posLayawayStatus: 'stale' } },
    { rate: '1.36', currency: 'CAD', storeId: 2 },
    { shipping: '10', shippingTax: '0.80' },
  ]) {
    const orderId = await aPaidLayaway('50', wanted);
    await cancelLayaway(orm.em, aCancellation(orderId, 10));
    expect(await order(orderId)).toMatchObject({ state: 'canceled', total_refunded: '45.0000' });
  }
  await booksHold();
});

test('an unpaid layaway is cancelled without a memo', async () => {
  const { orderId } = await aLayaway(fork());
  await cancelLayaway(orm.em, aCancellation(orderId, 50));
  expect(await order(orderId)).toMatchObject({ state: 'canceled', total_canceled: '108.0000' });
  expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({ creditMemoIncrementId: null, refund: 0 });
  await booksHold();
});

test('a legacy layaway without an invoice: the order is cancelled directly, and the cashier told what to hand back', async () => {
  const placed = await anOrder(fork(), {
    paid: false,
    shipped: false,
    columns: { state: 'pending_payment', status: 'pending_payment' },
  });
  const { orderId } = placed;
  await updateOrder(orm.em, orderId, { posted: { columns: { posLayawayStatus: 'open' } } });
  await capturePayment(orm.em, aPayment(orderId, '40', { paymentMethod: 'terminal' }));

  await cancelLayaway(orm.em, aCancellation(orderId, 25));

  expect(await order(orderId)).toMatchObject({
    state: 'canceled',
    total_refunded: '0.0000',
    total_canceled: '68.0000',
  });
  expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({
    fee: money('10'),
    refund: money('30'),
    refundMethod: 'terminal',
    creditMemoIncrementId: null,
  });
  expect(await promised(orderId)).toBe(0);
  await booksHold();
});

describe('refused', () => {
  test.each([
    ['an unknown order', async () => 999_999, 404, /requested doesn't exist/],
    ['no layaway', async () => (await anOrder(fork())).orderId, 400, /not a layaway/],
    ['one paid in full', () => aPaidLayaway('108'), 400, /already paid in full/],
  ])('%s', async (_case, make, status, message) => {
    const orderId = await make();
    await expect(cancelLayaway(orm.em, aCancellation(orderId, 0))).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message),
    });
  });

  test('one that is cancelled, whatever the fee; the step that cancelled it is answered', async () => {
    const orderId = await aPaidLayaway('40');
    const first = aCancellation(orderId, 10);
    await cancelLayaway(orm.em, first);
    expect(await cancelLayaway(orm.em, first)).toEqual({ status: 'cancelled' });
    await expect(cancelLayaway(orm.em, aCancellation(orderId, 10))).rejects.toMatchObject({
      message: 'The layaway is already cancelled.',
    });
    expect(await memosOf(orderId)).toHaveLength(1);
  });

  test('one that was settled on the platform', async () => {
    const orderId = await aPaidLayaway('108');
    const [invoice] = await invoicesOf(orderId, 'entity_id');
    await payInvoice(orm.em, invoice!.entity_id);
    await expect(cancelLayaway(orm.em, aCancellation(orderId, 0))).rejects.toMatchObject({ status: 400 });
  });
});

test('the order that cannot be cancelled does not keep its layaway from it: the rest stands, the failure is told', async () => {
  const orderId = await aPaidLayaway('40');
  const mend = await refuseWrites({ to: 'inventory_reservation', says: 'the shelf is gone' });
  try {
    expect(await cancelLayaway(orm.em, aCancellation(orderId, 0))).toEqual({
      status: 'cancelled',
      orderNotCancelled: expect.objectContaining({ message: expect.stringContaining('the shelf is gone') }),
    });
  } finally {
    await mend();
  }
  expect(await order(orderId)).toMatchObject({
    state: 'processing',
    pos_layaway_status: 'cancelled',
    total_refunded: '40.0000',
    total_canceled: '0.0000',
  });
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).map(({ id }) => id)).toEqual(['I-17']);
  await remove('layaway_cancellation', { order_id: orderId });
  await change('sales_order', { entity_id: orderId }, { pos_layaway_status: null });
});

test('eight at once are one memo and one cancellation', async () => {
  const orderId = await aPaidLayaway('40');
  const { done } = await outcomesAtOnce(8, () => cancelLayaway(orm.em, aCancellation(orderId, 10)));
  expect(done).toHaveLength(1);
  expect(await memosOf(orderId)).toHaveLength(1);
  await booksHold();
});

test('goods of it that were refunded stay refunded; the rest of the deposit comes back', async () => {
  const sale = await aLayaway(fork());
  await capturePayment(orm.em, aPayment(sale.orderId, '60'));
  await refundPieces(fork(), sale, 1);
  expect(await cancelLayaway(orm.em, aCancellation(sale.orderId, 0))).toEqual({ status: 'cancelled' });
  expect(await order(sale.orderId)).toMatchObject({
    state: 'canceled',
    pos_layaway_status: 'cancelled',
    total_refunded: '60.0000',
    total_invoiced: '0.0000',
  });
  expect((await readLayaway(fork(), sale.orderId)).cancellation).toMatchObject({ refund: money('6') });
  expect(await promised(sale.orderId)).toBe(0);
  await booksHold();
});

test('a layaway with a refund under way is not cancelled: the rest to give back is not known yet', async () => {
  const orderId = await aPaidLayaway('60');
  await change('sales_order', { entity_id: orderId }, { base_pending_refund: 54 });
  await expect(cancelLayaway(orm.em, aCancellation(orderId, 90))).rejects.toMatchObject({ status: 400 });
  expect(await order(orderId)).toMatchObject({ state: 'pending_payment', total_refunded: '0.0000' });
  await change('sales_order', { entity_id: orderId }, { base_pending_refund: 0 });
});
