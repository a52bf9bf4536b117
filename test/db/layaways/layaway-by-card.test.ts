import { expect, test } from 'vitest';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { payInvoice } from '../../../db/platform/invoices/pay-invoice.ts';
import { createShipment } from '../../../db/platform/shipments/create-shipment.ts';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { money } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { canRefundThrough } from '../../../providers/gateways/can-refund-through.ts';
import { aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anItem } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm } from './layaway-payments.ts';

opensAShop();

const { fork, invoicesOf, paymentsOf, linesOf, attemptsOf, find, booksHold } = booksOf(() => orm);

/** The gateway refunds by this method; its payments can be tracked by their references. */
const byCard = (method: string) => method === 'provider_a';
const card = (reference: string) => ({ paymentMethod: 'provider_a', reference });

/** Two mugs at 54, paid as given, settled and handed over. */
async function paidLayaway(method: string, payments: readonly (readonly [sum: string, by: object])[]) {
  const { orderId } = await aLayaway(fork(), { method });
  for (const [sum, by] of payments) await capturePayment(orm.em, aPayment(orderId, sum, by));
  const [invoice] = await invoicesOf(orderId, 'entity_id');
  await payInvoice(orm.em, Number(invoice!.entity_id));
  await createShipment(fork(), { orderId });
  return orderId;
}

let returns = 0;
async function returnByCard(orderId: number, count: number) {
  const [line] = await linesOf(orderId, 'item_id');
  const { returnId } = await createReturn(orm.em, {
    ...{ orderId, customerId: null, locationId: 1, comment: null, isAutoApproved: true },
    posSaleId: `layaway-return-${++returns}`,
    items: [{ ...anItem(line!.item_id), qtyRequested: pieces(count) }],
    refundMethod: 'original_payment',
  });
  const { attempt } = await initialiseReturn(orm.em, { returnId, canRefundThrough: byCard, isAsked: true });
  return attempt!.attemptId;
}

async function book(attemptId: number): Promise<void> {
  await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
  const finding = { evidence: 'refunded', gatewayReference: `gateway-${attemptId}` } as const;
  await recordFinding(orm.em, { attemptId, finding, now: new Date() });
}

const referencesOf = async (orderId: number) =>
  (await find('refund_attempt', { order_id: orderId }, 'payment_method', 'payment_reference', 'amount')).map((one) => [
    one['payment_method'],
    one['payment_reference'],
    Number(one['amount']),
  ]);

test('the card that paid a layaway is its transaction, and gets the money back', async () => {
  const orderId = await paidLayaway('provider_a', [['108', card('pay_1')]]);
  expect(await paymentsOf(orderId, 'last_trans_id')).toEqual([{ last_trans_id: 'pay_1' }]);
  await book(await returnByCard(orderId, 2));
  expect(await referencesOf(orderId)).toEqual([['provider_a', 'pay_1', 108]]);
  await booksHold();
});

test('the receipt number of a payment in cash is no transaction', async () => {
  const cash = { paymentMethod: 'cashondelivery', reference: 'R-1' };
  const orderId = await paidLayaway('cashondelivery', [['108', cash]]);
  expect(await paymentsOf(orderId, 'last_trans_id')).toEqual([{ last_trans_id: null }]);
});

test('a layaway that was placed with another way of paying goes back to the card that paid it', async () => {
  const orderId = await paidLayaway('checkmo', [['108', card('pay_2')]]);
  const attemptId = await returnByCard(orderId, 1);
  expect(await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 })).toMatchObject({
    ...{ paymentMethod: 'provider_a', paymentReference: 'pay_2', capturedAmount: money('108') },
  });
  await book(attemptId);
  expect(await find('sales_payment_transaction', { order_id: orderId }, 'txn_type', 'parent_txn_id')).toEqual([
    { txn_type: 'refund', parent_txn_id: 'pay_2' },
  ]);
  await booksHold();
});

test('each of several cards takes back what it paid, and no card more', async () => {
  const orderId = await paidLayaway('provider_a', [
    ['54', card('pay_3')],
    ['54', card('pay_4')],
  ]);
  await expect(returnByCard(orderId, 2)).rejects.toMatchObject({
    status: 400,
    message:
      'No card took as much as 108 of this layaway. They can take back: "pay_3" by "provider_a" 54, "pay_4" by "provider_a" 54. Return goods of that value to a card, and the others another way.',
    parameters: { outcome: 'card_took_less', card_took: '54', card_left: '54' },
  });
  const again = await paidLayaway('provider_a', [
    ['54', card('pay_5')],
    ['54', card('pay_6')],
  ]);
  for (const reference of ['pay_5', 'pay_6']) {
    const attemptId = await returnByCard(again, 1);
    expect(await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 })).toMatchObject({
      ...{ paymentReference: reference, amount: money('54'), capturedAmount: money('54') },
    });
    await book(attemptId);
  }
  expect(await referencesOf(again)).toEqual([
    ['provider_a', 'pay_5', 54],
    ['provider_a', 'pay_6', 54],
  ]);
  await booksHold();
});

test('a card that paid the rest after cash takes back no more than that', async () => {
  const orderId = await paidLayaway('provider_a', [
    ['40', { paymentMethod: 'cash', reference: 'R-2' }],
    ['68', card('pay_7')],
  ]);
  await expect(returnByCard(orderId, 2)).rejects.toMatchObject({ parameters: { outcome: 'card_took_less' } });
  expect(await attemptsOf(orderId, 'attempt_id')).toEqual([]);
});

test('a gateway is asked for each way in which a layaway was paid', async () => {
  const gateways = {
    for: ({ paymentMethod }: { paymentMethod: string }) =>
      Promise.resolve(
        byCard(paymentMethod) ? { canTrack: (reference: string | null) => reference !== null } : undefined,
      ),
  } as unknown as Parameters<typeof canRefundThrough>[0];
  const payment = { paymentMethod: 'checkmo', paymentReference: null, storeId: 1 };
  const isRefundable = await canRefundThrough(gateways, {
    ...payment,
    captures: [{ method: 'provider_a', reference: 'pay_8' }],
  });
  expect(['provider_a', 'checkmo', 'cash'].map(isRefundable)).toEqual([true, false, false]);
  expect((await canRefundThrough(gateways, payment))('provider_a')).toBe(false);
});
