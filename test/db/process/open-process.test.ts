import { describe, expect, test } from 'vitest';
import { notePassed } from '../../../db/process/note-asked.ts';
import { openProcessOfReturn } from '../../../db/process/open-process-of-return.ts';
import { findProcess } from '../../../db/process/process.repository.ts';
import { recordTaken } from '../../../db/process/record-taken.ts';
import { leaveUnattempted, refuseProcess } from '../../../db/process/refuse-process.ts';
import { settleProcess } from '../../../db/process/settle-process.ts';
import { startProcessRefund } from '../../../db/process/start-process-refund.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { zero } from '../../../domain/money/amount.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aReturn } from '../../support/builders/return.ts';
import { refusedTooLate, tooLate } from '../../support/builders/return-requests.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

const { fork, howMany, booksHold } = booksOf(() => orm);
const canRefundThrough = () => false;
const online = { resolution: 'refund', isOnline: true, canRefundThrough, storeCreditIn: undefined } as const;
const allCredit = [{ credit_type: 'store_credit', amount: 108 }];

test('an online refund of what was all paid by credit needs no gateway: it is booked, and the credit is back', async () => {
  const customerId = await aCustomerWithCredit(orm, '200');
  const { orderId, itemIds } = await anOrder(fork(), { customerId, credits: allCredit });
  const { processId } = await aProcess(orm, { ...online, orderId, items: [aProcessedItem(itemIds[0]!)] });
  await notePassed(fork(), processId);

  expect(await startProcessRefund(orm.em, { processId, canRefundThrough })).toEqual({ isCreditOnly: true });
  await settleProcess(orm.em, processId);

  expect(await findProcess(fork(), processId)).toMatchObject({ state: 'done', refundTotal: 54, isOnlineRefund: false });
  expect(await walletOf(orm, customerId)).toBe('146.0000');
  await booksHold();
});

test('so does that of a return', async () => {
  const customerId = await aCustomerWithCredit(orm, '200');
  const order = { customerId, credits: allCredit, method: 'checkmo' };
  const { returnId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null, order });
  const opened = await openProcessOfReturn(orm.em, { ...online, returnId, requestKey: 'all-credit', author: 'Ada' });
  const processId = opened.processId ?? 0;
  await recordTaken(orm.em, { processId, providerCode: 'builtin', reference: null, isRestockedHere: true });

  expect(await startProcessRefund(orm.em, { processId, canRefundThrough })).toEqual({ isCreditOnly: true });
  await settleProcess(orm.em, processId);

  expect(await findProcess(fork(), processId)).toMatchObject({ state: 'done', returnId, refundTotal: 54 });
  expect(await walletOf(orm, customerId)).toBe('146.0000');
});

test('an online refund that comes to zero needs no gateway either: the goods come back, and no money', async () => {
  const lines = [
    { sku: 'MUG', qty: 1, price: '50' },
    { sku: 'MUG', qty: 1, price: '50', discount: '50' },
  ];
  const { orderId, itemIds } = await anOrder(fork(), { lines });
  const { processId } = await aProcess(orm, { ...online, orderId, items: [aProcessedItem(itemIds[1]!)] });
  await notePassed(fork(), processId);

  expect(await startProcessRefund(orm.em, { processId, canRefundThrough })).toEqual({ isCreditOnly: true });
  await settleProcess(orm.em, processId);

  expect(await findProcess(fork(), processId)).toMatchObject({ state: 'done', refundTotal: 0, isOnlineRefund: false });
  await booksHold();
});

test('what was paid by credit in part does need one', async () => {
  const customerId = await aCustomerWithCredit(orm, '200');
  const credits = [{ credit_type: 'store_credit', amount: 50 }];
  const { orderId, itemIds } = await anOrder(fork(), { customerId, credits });
  const items = [aProcessedItem(itemIds[0]!)];
  const refusal = { status: 400, parameters: { outcome: 'refund_from_admin' } };
  await expect(aProcess(orm, { ...online, orderId, items })).rejects.toMatchObject(refusal);
});

test('a memo that took the goods of an earlier return is older than the run that finds nothing left: the books hold', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null });
  const everything = {
    orderId,
    items: [],
    adjustmentPositive: zero,
    adjustmentNegative: zero,
    returnToStockItemIds: [],
  };
  await refundOrder(orm.em, everything);
  const wish = { ...online, isOnline: false, returnId, requestKey: 'too-late', author: 'Ada' };
  const { processId } = await openProcessOfReturn(orm.em, wish);

  await expect(settleProcess(orm.em, processId ?? 0)).rejects.toMatchObject({ status: 400 });

  await booksHold();
});

describe('a run of a return that was there before', () => {
  const byKey = (returnId: number, requestKey: string, more: { beginBefore?: string } = {}) =>
    openProcessOfReturn(orm.em, { ...online, isOnline: false, returnId, requestKey, author: 'Ada', ...more });
  const aRun = async (requestKey: string) => {
    const { returnId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null });
    const { processId } = await byKey(returnId, requestKey);
    return { returnId, processId: processId ?? 0 };
  };
  const taken = { providerCode: 'builtin', reference: null, isRestockedHere: true };

  test.each([
    ['was refused', 'refused', 400],
    ['failed', 'failed', 500],
  ] as const)('and %s is answered under its key, and no second one is written', async (_how, state, status) => {
    const { returnId, processId } = await aRun(`ended-${state}`);
    const refusal = { status, message: 'The provider does not take this product.' };
    await refuseProcess(orm.em, { processId, state, refusal });

    expect(await byKey(returnId, `ended-${state}`)).toEqual({ processId });
    expect(await findProcess(fork(), processId)).toMatchObject({ state, refusal });
    const next = await byKey(returnId, `after-${state}`);
    expect(next.processId).toBeGreaterThan(processId);
  });

  test('and that nobody took on is answered under its key', async () => {
    const { returnId, processId } = await aRun('nobody');
    await leaveUnattempted(orm.em, processId);
    expect(await byKey(returnId, 'nobody', tooLate())).toEqual({ processId });
  });

  test('and that a doubt about another refund held up is opened again under its key, and carried out', async () => {
    const { returnId, processId } = await aRun('held-up');
    const refusal = { status: 409, message: 'Another refund of the order is undecided.' };
    await refuseProcess(orm.em, { processId, state: 'refused', refusal });

    expect(await byKey(returnId, 'held-up')).toEqual({ processId });
    expect(await findProcess(fork(), processId)).toMatchObject({ state: 'open', refusal: null });
    await recordTaken(orm.em, { processId, ...taken });
    await settleProcess(orm.em, processId);
    expect(await findProcess(fork(), processId)).toMatchObject({ state: 'done', returnId });
  });

  test('is not begun for who waits no more; one that is open is joined all the same', async () => {
    const { returnId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null });
    await expect(byKey(returnId, 'late', tooLate())).rejects.toMatchObject(refusedTooLate);
    expect(await howMany('return_process', { return_id: returnId })).toBe(0);

    const { processId } = await byKey(returnId, 'in-time');
    expect(await byKey(returnId, 'joins', tooLate())).toEqual({ processId });
  });

  test('is opened once, however many ask at once under one key', async () => {
    const { returnId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null });
    const answers = await eightAtOnce(() => byKey(returnId, 'one-key'));
    expect(new Set(answers.map(({ processId }) => processId)).size).toBe(1);
    expect(await howMany('return_process', { return_id: returnId })).toBe(1);
  });
});

describe('goods without a return', () => {
  const aWish = async () => {
    const { orderId, itemIds } = await anOrder(fork());
    return { orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: `wish-${orderId}` };
  };

  test('are not asked back for who waits no more, and nothing is written', async () => {
    const wish = await aWish();
    await expect(aProcess(orm, { ...wish, ...tooLate() })).rejects.toMatchObject(refusedTooLate);
    expect(await howMany('return_process', { order_id: wish.orderId })).toBe(0);
  });

  test('that were asked back are answered under their key first', async () => {
    const wish = await aWish();
    const { processId } = await aProcess(orm, wish);
    expect(await aProcess(orm, { ...wish, ...tooLate() })).toMatchObject({ processId, isReused: true });
  });
});
