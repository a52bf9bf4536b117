import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { lockOrder } from '../../../db/platform/orders/lock-order.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { nothingLeft } from '../../../db/refunds/nothing-left.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { transact } from '../../../db/support/transact.ts';
import { zero } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const { wordsOf, theReturn, findOne, fork, auditOf, storyOf } = booksOf(() => orm);

test('lines another refund took name its memo, though the order has money left, in both histories', async () => {
  const lines = [
    { sku: 'MUG', qty: 1, price: '50' },
    { sku: 'PLATE', qty: 1, price: '30' },
  ];
  const rma = await aReturn(orm, { locationId, order: { lines, method: 'checkmo' }, refundMethod: 'cash' });
  await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: () => true });
  const memoId = await refundOrder(orm.em, {
    orderId: rma.orderId,
    items: [{ orderItemId: rma.orderItemId, qty: pieces(1) }],
    adjustmentPositive: zero,
    adjustmentNegative: zero,
    returnToStockItemIds: [],
  });
  const memo = await findOne('sales_creditmemo', { entity_id: memoId }, 'increment_id');
  const settlement = { returnId: rma.returnId, method: 'cash', options: plainSettlement, requestId: 'x' } as const;

  const refused = await bookSettlement(orm.em, settlement).catch((error: unknown) => error);

  const sentence = `Nothing is left to refund: credit memo ${memo.increment_id} took it.`;
  expect(refused).toMatchObject({
    status: 400,
    message: sentence,
    parameters: { outcome: 'nothing_left_to_refund', credit_memo_id: memoId, return_id: rma.returnId },
  });
  const row = await theReturn(rma.returnId, 'status', 'increment_id');
  expect(row!.status).toBe('awaiting_refund');
  expect(await storyOf(rma.orderId)).toContain(`Return ${row!.increment_id} was not settled: ${sentence}`);
  const comments = await wordsOf(rma.returnId, 'comment');
  expect(comments).toEqual([{ comment: `Not settled: ${sentence}` }]);
});

test('where no memo took it, the refund that is under way is named', async () => {
  const { orderId, attemptId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
  const refusal = await transact(orm.em, async (em) =>
    nothingLeft(em, { order: await lockOrder(em, orderId), returnId: null, items: [] }),
  );
  expect(refusal.message).toBe(`Nothing is left to refund: refund attempt ${attemptId} is under way for it.`);
  expect(refusal.parameters).toMatchObject({ refund_attempt_id: attemptId });
});

test('what became of a refund is in the history of its order, and a person’s word in the audit', async () => {
  const { orderId, attemptId } = await aRefundAttempt(orm, { locationId });
  const word = { evidence: 'not_refunded', resolvedBy: 'Olga', resolutionNote: 'not on the statement' } as const;
  for (const finding of [word, word]) await recordFinding(orm.em, { attemptId, finding, now: new Date() });

  const comments = (await storyOf(orderId)).filter((comment) => comment.includes(`efund attempt ${attemptId}`));
  expect(comments).toEqual([
    expect.stringContaining('Nobody knows yet whether refund attempt'),
    expect.stringContaining('did not go through'),
  ]);
  const audit = await auditOf('refund_attempt', attemptId, 'old_value', 'new_value', 'staff_name');
  expect(audit).toEqual([{ old_value: 'uncertain', new_value: 'failed', staff_name: 'Olga' }]);
});
