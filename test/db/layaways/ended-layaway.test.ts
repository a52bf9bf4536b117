import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { collectDuePayment } from '../../../db/orders/collect-due-payment.ts';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { payInvoice } from '../../../db/platform/invoices/pay-invoice.ts';
import { saveInvoice } from '../../../db/platform/invoices/save-invoice.ts';
import { holdOrder } from '../../../db/platform/orders/hold-order.ts';
import { updateOrder } from '../../../db/platform/order-saves/update-order.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { money, zero } from '../../../domain/money/amount.ts';
import type { OrderState } from '../../../domain/platform/order-state.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(fork());
});
afterAll(async () => {
  await booksHold();
  await orm.close();
});

const { memosOf, invoicesOf, theOrder, fork, change, booksHold } = booksOf(() => orm);
const stands = async (orderId: number) =>
  await theOrder(orderId, 'state', 'pos_layaway_status', 'total_paid', 'total_due');
const cancel = (orderId: number, feePercent = 0) => cancelLayaway(orm.em, aCancellation(orderId, feePercent));
const pay = (orderId: number, amount: string) => capturePayment(orm.em, aPayment(orderId, amount));
const giveBack = (orderId: number, amount: string) =>
  refundOrder(orm.em, {
    orderId,
    items: [],
    adjustmentPositive: money(amount),
    adjustmentNegative: zero,
    returnToStockItemIds: [],
  });

/** Its invoice was cancelled and written anew in two halves; 40 of 108 are paid. */
async function cutInTwo() {
  const { orderId, itemIds } = await aLayaway(fork());
  await pay(orderId, '40');
  const [whole] = await invoicesOf(orderId);
  await saveInvoice(orm.em, { entityId: whole!['entity_id'], state: 3 });
  const half = { orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }] };
  return { orderId, halves: [await saveInvoice(orm.em, half), await saveInvoice(orm.em, half)] as const };
}

describe('a layaway that was cancelled', () => {
  test('leaves no invoice open, into however many its invoice was cut', async () => {
    const { orderId, halves } = await cutInTwo();
    expect(await cancel(orderId, 10)).toEqual({ status: 'cancelled' });
    expect((await invoicesOf(orderId)).map(({ state }) => state)).toEqual([3, 3, 3]);
    for (const invoiceId of halves) await expect(payInvoice(orm.em, invoiceId)).rejects.toMatchObject({ status: 400 });
    expect(await stands(orderId)).toMatchObject({ state: 'canceled', total_paid: '40.0000' });
  });

  test('has a memo of its deposit though its invoice was cancelled before', async () => {
    const { orderId } = await aLayaway(fork());
    await pay(orderId, '40');
    await saveInvoice(orm.em, { entityId: (await invoicesOf(orderId))[0]!['entity_id'], state: 3 });
    await cancel(orderId, 25);
    expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: '30.0000' }]);
  });

  const payments: readonly [string, (orderId: number, invoiceId: number) => Promise<unknown>][] = [
    [
      'a save with a higher total paid',
      (orderId) => updateOrder(orm.em, orderId, { posted: { columns: { totalPaid: money('108') } } }),
    ],
    [
      'a save in base',
      (orderId) => updateOrder(orm.em, orderId, { posted: { columns: { baseTotalPaid: money('108') } } }),
    ],
    ['its invoice', (_orderId, invoiceId) => payInvoice(orm.em, invoiceId)],
    ['its invoice, saved as paid', (_orderId, entityId) => saveInvoice(orm.em, { entityId, state: 2 })],
    ['a new invoice', (orderId) => createInvoice(orm.em, { orderId })],
    ['a new invoice that is open', (orderId) => saveInvoice(orm.em, { orderId })],
    ['a payment of the layaway', (orderId) => pay(orderId, '10')],
    ['credit due', (orderId) => collectDuePayment(orm.em, { orderId, reference: 'late', amount: money('10') })],
  ];
  test.each(payments)('takes no money by %s', async (_way, take) => {
    const { orderId } = await aLayaway(fork(), { columns: { posCreditDue: money('50') } });
    await pay(orderId, '40');
    await cancel(orderId, 0);
    const [invoice] = await invoicesOf(orderId);
    await expect(take(orderId, invoice!['entity_id'])).rejects.toMatchObject({ status: 400 });
    expect(await stands(orderId)).toMatchObject({ total_paid: '40.0000' });
  });

  test.each(payments)('takes no money by %s, though its order could not be cancelled', async (_way, take) => {
    const { orderId } = await aLayaway(fork(), { columns: { posCreditDue: money('50') } });
    await pay(orderId, '100');
    const is = (status: string) => change('sales_order', { entity_id: orderId }, { pos_layaway_status: status });
    await is('cancelled');
    await expect(take(orderId, (await invoicesOf(orderId))[0]!['entity_id'])).rejects.toMatchObject({ status: 400 });
    await is('open');
    expect(await invoicesOf(orderId)).toMatchObject([{ state: 1 }]);
  });

  test('keeps its fee: what was settled goes out by no further memo', async () => {
    const { orderId } = await aLayaway(fork());
    await pay(orderId, '40');
    await cancel(orderId, 20);
    await expect(giveBack(orderId, '8')).rejects.toMatchObject({ status: 400 });
  });

  test('without an invoice hands its money back once', async () => {
    const { orderId } = await anOrder(fork(), {
      paid: false,
      shipped: false,
      columns: { state: 'pending_payment', status: 'pending_payment' },
    });
    await updateOrder(orm.em, orderId, { posted: { columns: { posLayawayStatus: 'open' } } });
    await pay(orderId, '40');
    await cancel(orderId, 25);
    expect(await theOrder(orderId, 'returned_without_memo', 'base_returned_without_memo')).toEqual({
      returned_without_memo: '30.0000',
      base_returned_without_memo: '30.0000',
    });
    await expect(giveBack(orderId, '40')).rejects.toMatchObject({ status: 400 });
  });

  test('may have been held', async () => {
    const { orderId } = await aLayaway(fork());
    await holdOrder(orm.em, orderId);
    expect(await cancel(orderId)).toEqual({ status: 'cancelled' });
    expect(await stands(orderId)).toMatchObject({ state: 'canceled', pos_layaway_status: 'cancelled' });
  });
});

describe('a layaway that owes something', () => {
  test.each<[string, (invoiceId: number) => Promise<unknown>]>([
    ['captured', (invoiceId) => payInvoice(orm.em, invoiceId)],
    ['saved as paid', (entityId) => saveInvoice(orm.em, { entityId, state: 2 })],
  ])('is not paid when its invoice is %s: the till took no money', async (_verb, take) => {
    const { orderId } = await aLayaway(fork());
    await pay(orderId, '40');
    const [invoice] = await invoicesOf(orderId);
    await expect(take(invoice!['entity_id'])).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^The layaway still owes %1/),
      parameters: ['68'],
    });
    expect(await stands(orderId)).toMatchObject({ state: 'pending_payment', pos_layaway_status: 'open' });
    await pay(orderId, '68');
    await take(invoice!['entity_id']);
    expect(await stands(orderId)).toEqual({
      state: 'processing',
      pos_layaway_status: 'ready_to_settle',
      total_paid: '108.0000',
      total_due: '0.0000',
    });
  });

  test('is not paid by an invoice of some of its goods, nor by a new one', async () => {
    const { orderId, halves } = await cutInTwo();
    await expect(payInvoice(orm.em, halves[0])).rejects.toMatchObject({ status: 400 });
    await saveInvoice(orm.em, { entityId: halves[1], state: 3 });
    await expect(createInvoice(orm.em, { orderId })).rejects.toMatchObject({ status: 400 });
    await pay(orderId, '68');
    await payInvoice(orm.em, halves[0]);
    await createInvoice(orm.em, { orderId });
    expect(await stands(orderId)).toMatchObject({ total_paid: '108.0000', state: 'processing' });
  });

  test('paid by credit due has all its invoices paid, also those in parts', async () => {
    const { orderId, halves } = await cutInTwo();
    await updateOrder(orm.em, orderId, { posted: { columns: { posCreditDue: money('68') } } });
    const paid = await collectDuePayment(orm.em, { orderId, reference: 'rest', amount: money('68') });
    expect(paid).toMatchObject({ isInvoicePaid: true, totalDue: 0 });
    expect((await invoicesOf(orderId)).filter(({ state }) => state === 2)).toHaveLength(halves.length);
  });
});

test('goods of a layaway come back once it is settled, not before', async () => {
  const { orderId, itemIds } = await aLayaway(fork());
  const giveIn = () =>
    createReturn(orm.em, {
      orderId,
      customerId: null,
      locationId: null,
      items: [anItem(itemIds[0]!)],
      comment: null,
      isAutoApproved: false,
      refundMethod: null,
      posSaleId: null,
    });
  const refused = {
    status: 400,
    message: expect.stringContaining('The layaway is not settled yet. Settle it first, or cancel it.'),
    parameters: expect.objectContaining({ outcome: 'return_not_eligible', reason_code: 'vendor_rule' }),
  };
  await expect(giveIn()).rejects.toMatchObject(refused);
  await pay(orderId, '40');
  await expect(giveIn()).rejects.toMatchObject(refused);
  await pay(orderId, '68');
  await expect(giveIn()).rejects.toMatchObject(refused);
  await payInvoice(orm.em, (await invoicesOf(orderId))[0]!['entity_id']);
  expect(await giveIn()).toMatchObject({ orderId });
});

test.each(['holded', 'payment_review', 'complete', 'closed'] satisfies OrderState[])(
  'the cancel of a layaway without deposit or open invoice ends its order, which is %s, too',
  async (state) => {
    const { orderId } = await aLayaway(fork());
    const [invoice] = await invoicesOf(orderId);
    await saveInvoice(fork(), { entityId: invoice!['entity_id'], state: 3 });
    await change('sales_order', { entity_id: orderId }, { state, status: state });

    expect(await cancel(orderId, 10)).toEqual({ status: 'cancelled' });
    expect(await stands(orderId)).toMatchObject({ state: 'canceled', pos_layaway_status: 'cancelled' });
  },
);
