import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { verify } from '../../../books/verify/verify.ts';
import { mayBecomeCredit, waysBack } from '../../../domain/returns/way-back.ts';
import { money } from '../../../domain/money/amount.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../../domain/returns/refund-method.ts';
import { reserveStoreCredit } from '../../support/builders/credit.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { outcomesAtOnce } from '../../support/rivals.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(async () => {
  expect((await verify(fork())).filter(({ id }) => id !== 'I-13c' && id !== 'M-08')).toEqual([]);
  await orm.close();
});

let asked = 0;
const { fork, change } = booksOf(() => orm);

const asCredit = (orderId: number, amount: string, customerId: number | null = null) =>
  reserveStoreCredit(orm, { orderId, customerId, amount: money(amount), requestKey: `asked-${++asked}` });

/** One mug of 54 that came back, parked for one way and settled by another. */
async function aSettledReturn(method: Exclude<SettleMethod, 'original_payment'>, reference?: string) {
  const customerId = await aCustomer(fork());
  const rma = await aReturn(orm, { locationId, refundMethod: 'cash', order: { customerId } });
  await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: () => true });
  await bookSettlement(orm.em, {
    returnId: rma.returnId,
    method,
    options: plainSettlement,
    requestId: `r-${rma.returnId}`,
    ...(reference === undefined ? {} : { reference }),
  });
  return { ...rma, customerId };
}

/** One mug of 54 that went back to the card; the customer is named where an order of a guest needs one. */
async function aMugBackOnTheCard() {
  const customerId = await aCustomer(fork());
  const attempt = await aRefundAttempt(orm, { locationId, state: 'started' });
  const finding = { evidence: 'refunded' as const, gatewayReference: `re_${attempt.attemptId}` };
  await recordFinding(orm.em, { attemptId: attempt.attemptId, finding, now: new Date() });
  return { ...attempt, customerId };
}

describe('money that a tender gave back is not issued as credit', () => {
  test.each(['cash', 'terminal', 'manual_card', 'exchange'] as const)('settled by %s', async (method) => {
    const { orderId } = await aSettledReturn(method);
    await expect(asCredit(orderId, '0.01')).rejects.toThrow('exceeds the remaining refundable amount');
  });

  test('given back to the card', async () => {
    const { orderId, customerId } = await aMugBackOnTheCard();
    await expect(asCredit(orderId, '0.01', customerId)).rejects.toThrow('exceeds the remaining refundable amount');
  });

  test('under way to the card', async () => {
    const { orderId } = await aRefundAttempt(orm, { locationId });
    const customerId = await aCustomer(fork());
    await expect(asCredit(orderId, '0.01', customerId)).rejects.toThrow('exceeds the remaining refundable amount');
  });

  test('with the reference of a payment, by hand', async () => {
    const { orderId, orderItemId } = await aMugBackOnTheCard();
    const customerId = await aCustomer(fork());
    await refundPieces(fork(), { orderId, itemIds: [orderItemId] }, 1);
    await change('sales_creditmemo', { order_id: orderId, refund_attempt_id: null }, { transaction_id: 'T-9' });
    await expect(asCredit(orderId, '0.01', customerId)).rejects.toThrow('exceeds the remaining refundable amount');
  });
});

describe('money that no tender gave back is', () => {
  test.each([undefined, 'voucher 7'])('settled by store credit, with the reference %s', async (reference) => {
    const { orderId } = await aSettledReturn('store_credit', reference);
    await expect(asCredit(orderId, '54.01')).rejects.toThrow('exceeds the remaining refundable amount');
    expect(await asCredit(orderId, '50')).toMatchObject({ state: 'reserved' });
    expect(await asCredit(orderId, '4')).toMatchObject({ state: 'reserved' });
    await expect(asCredit(orderId, '0.01')).rejects.toThrow('exceeds the remaining refundable amount');
  });

  test('beside what went back to the card', async () => {
    const { orderId, orderItemId, customerId } = await aMugBackOnTheCard();
    await refundPieces(fork(), { orderId, itemIds: [orderItemId] }, 1);

    await expect(asCredit(orderId, '54.01', customerId)).rejects.toThrow('exceeds the remaining refundable amount');
    expect(await asCredit(orderId, '54', customerId)).toMatchObject({ state: 'reserved' });
  });

  test('eight times at once, once', async () => {
    const { orderId } = await aSettledReturn('store_credit');
    const { done } = await outcomesAtOnce(8, () => asCredit(orderId, '30'));
    expect(done).toHaveLength(1);
  });
});

test('credit of a customer’s order goes to no other customer', async () => {
  const { orderId, customerId } = await aSettledReturn('store_credit');
  const stranger = await aCustomer(fork());
  await expect(asCredit(orderId, '10', stranger)).rejects.toThrow('The order belongs to another customer than %1.');
  expect(await asCredit(orderId, '10', customerId)).toMatchObject({ customerId });
});

test('every way back is decided', () => {
  expect(waysBack.filter((way) => mayBecomeCredit[way])).toEqual(['store_credit', 'by_hand']);
  expect(Object.keys(mayBecomeCredit).toSorted()).toEqual(waysBack.toSorted());
});
