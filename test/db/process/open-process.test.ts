import { expect, test } from 'vitest';
import { notePassed } from '../../../db/process/note-asked.ts';
import { openProcessOfReturn } from '../../../db/process/open-process-of-return.ts';
import { findProcess } from '../../../db/process/process.repository.ts';
import { recordTaken } from '../../../db/process/record-taken.ts';
import { settleProcess } from '../../../db/process/settle-process.ts';
import { startProcessRefund } from '../../../db/process/start-process-refund.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { zero } from '../../../domain/money/amount.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aReturn } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

const { fork, booksHold } = booksOf(() => orm);
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
