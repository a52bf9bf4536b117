import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { openDocumentRefund, type DocumentRefund } from '../../../db/refunds/open-document-refund.ts';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { readReturned } from '../../../db/returns/read-returned.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { zero } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { inMinutes, minutesAgo } from '../../support/moments.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(fork());
});
afterAll(async () => {
  await booksHold();
  await orm.close();
});

const { booksHold, find, fork, memosOf } = booksOf(() => orm);
const soon = inMinutes(10).toISOString();

/** One of two mugs, of a sale that was paid by card. */
async function aWish(order: WantedOrder = {}, wish: Partial<DocumentRefund> = {}): Promise<DocumentRefund> {
  const sale = await anOrder(fork(), { method: 'provider_a', lastTransId: `pay_${randomUUID()}`, ...order });
  const items = [{ orderItemId: sale.itemIds[0]!, qty: pieces(1) }];
  return {
    ...{ orderId: sale.orderId, invoiceId: sale.invoiceId!, operationKey: randomUUID(), beginBefore: soon },
    figures: { from: 'collectors', items, adjustmentPositive: zero, adjustmentNegative: zero },
    returnToStockItemIds: [],
    ...wish,
  };
}

const open = (wish: DocumentRefund) =>
  openDocumentRefund(fork(), wish, {
    canRefundThrough: () => true,
    refuseUnrefundable: () => undefined,
    readReturned,
  });
const attemptsOf = (orderId: number) => find('refund_attempt', { order_id: orderId }, 'attempt_id', 'state');

test('of eight at once, and once more, one attempt is written; each hears of it', async () => {
  const wish = await aWish();
  const opened = await eightAtOnce(() => open(wish));
  opened.push(await open(wish));
  expect(new Set(opened.map(({ attemptId }) => attemptId)).size).toBe(1);
  expect(await attemptsOf(wish.orderId)).toHaveLength(1);
});

test('too late nothing is written; what is written already is answered however late', async () => {
  const wish = await aWish();
  const late = { ...wish, beginBefore: minutesAgo(1).toISOString() };
  await expect(open(late)).rejects.toMatchObject({ status: 503 });
  expect(await attemptsOf(wish.orderId)).toEqual([]);
  const opened = await open(wish);
  expect((await open(late)).attemptId).toBe(opened.attemptId);
});

test('all of it credit: eight at once book one memo, and the credit is back once', async () => {
  const customerId = await aCustomerWithCredit(orm, '108');
  const wish = await aWish({ customerId, credits: [{ credit_type: 'store_credit', amount: 108 }] });
  const opened = await eightAtOnce(() => open(wish));
  opened.push(await open(wish));
  expect(opened.map(({ attemptId }) => attemptId)).toEqual(opened.map(() => null));
  expect(await memosOf(wish.orderId)).toHaveLength(1);
  expect(await walletOf(orm, customerId)).toBe('54.0000');
});

test('another request while one is undecided is told of it', async () => {
  const wish = await aWish();
  const { attemptId } = await open(wish);
  await expect(open({ ...wish, operationKey: randomUUID() })).rejects.toMatchObject({
    status: 409,
    parameters: { outcome: 'gateway_uncertain', refund_attempt_id: attemptId },
  });
});

test('an attempt that was given up before its call leaves its request free to begin again; one that was called does not', async () => {
  const wish = await aWish();
  const { attemptId: first } = await open(wish);
  await recordFinding(fork(), { attemptId: first!, finding: { evidence: 'unknown' }, now: new Date() });
  const { attemptId: second } = await open(wish);
  expect(second).not.toBe(first);

  await claimRefundCall(fork(), { attemptId: second!, timeoutSeconds: 5 });
  const no = { evidence: 'not_refunded', isFinal: true, message: 'declined' } as const;
  await recordFinding(fork(), { attemptId: second!, finding: no, now: new Date() });
  expect(await open(wish)).toMatchObject({ attemptId: second, state: 'failed', message: 'declined' });
});

test('an invoice of another order, and goods of another order, are refused', async () => {
  const [wish, other] = [await aWish(), await aWish()];
  await expect(open({ ...wish, invoiceId: other.invoiceId })).rejects.toMatchObject({ status: 404 });
  const goods = other.figures.from === 'collectors' ? other.figures.items.map((item) => item.orderItemId) : [];
  await expect(open({ ...wish, returnToStockItemIds: goods })).rejects.toMatchObject({ status: 400 });
  expect(await attemptsOf(wish.orderId)).toEqual([]);
});
