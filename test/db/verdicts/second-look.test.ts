import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDocumentRefund } from '../../../db/refunds/document-refunds.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { readReturned } from '../../../db/returns/read-returned.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { findSecondLooks, recordSecondLook } from '../../../db/verdicts/second-look.ts';
import { pieces, zero } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { booksOf } from '../../support/books.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { inMinutes, inSeconds, minutesAgo } from '../../support/moments.ts';
import { eightAtOnce } from '../../support/rivals.ts';

describe('second look', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { fork, memosOf, theAttempt, change, find, storyOf, booksHold } = booksOf(() => orm);
  const wrong = { evidence: 'not_refunded', resolvedBy: 'Ada', resolutionNote: 'not in the portal' } as const;
  const seen = (attemptId: number) => ({ evidence: 'refunded', gatewayReference: `seen-${attemptId}` }) as const;
  const look = (attemptId: number, finding: Parameters<typeof recordSecondLook>[1]['finding'] = seen(attemptId)) =>
    recordSecondLook(fork(), { attemptId, finding });

  async function decidedWrong() {
    const made = await aRefundAttempt(orm, { locationId });
    await recordFinding(orm.em, { attemptId: made.attemptId, finding: wrong, now: new Date() });
    return made;
  }
  const settle = (returnId: number, method: 'cash' | 'manual_card') =>
    bookSettlement(fork(), { returnId, method, options: plainSettlement, operationKey: randomUUID() });

  test('a refund that went back after all is booked once, with its own memo', async () => {
    const { attemptId, orderId, returnId } = await decidedWrong();
    const answers = await eightAtOnce(() => look(attemptId));
    expect(answers.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'booked'));
    expect(await theAttempt(attemptId, 'state', 'gateway_reference', 'resolved_by')).toEqual({
      ...{ state: 'booked', gateway_reference: `seen-${attemptId}`, resolved_by: null },
    });
    expect(await memosOf(orderId, 'refund_attempt_id')).toEqual([{ refund_attempt_id: attemptId }]);
    expect(await find('sale_return', { return_id: returnId }, 'status')).toEqual([{ status: 'closed' }]);
    expect(await storyOf(orderId)).toContainEqual(
      expect.stringContaining(`attempt ${attemptId} went through after all, although Ada decided that it did not`),
    );
    await booksHold();
  });

  test('a memo by hand for the money that a card gave back takes the attempt over', async () => {
    const { attemptId, orderId, returnId } = await decidedWrong();
    await settle(returnId, 'manual_card');
    const [memo] = await memosOf(orderId, 'entity_id', 'grand_total');
    expect(await look(attemptId)).toEqual({ state: 'booked', evidence: 'refunded' });
    expect(await memosOf(orderId, 'entity_id', 'grand_total')).toEqual([memo]);
    expect(await theAttempt(attemptId, 'state', 'credit_memo_id')).toEqual({
      ...{ state: 'booked', credit_memo_id: memo!['entity_id'] },
    });
    await booksHold();
  });

  test('money that was handed out in cash meanwhile went back twice: nothing is booked, and the answer says so', async () => {
    const { attemptId, orderId, returnId } = await decidedWrong();
    await settle(returnId, 'cash');
    expect(await look(attemptId)).toMatchObject({
      ...{ state: 'failed', evidence: 'refunded', message: expect.stringContaining('went back twice') },
    });
    expect(await memosOf(orderId, 'refund_attempt_id')).toEqual([{ refund_attempt_id: null }]);
    await booksHold();
  });

  test.each(['not_refunded', 'unknown'] as const)('a gateway that says %s leaves the decision', async (evidence) => {
    const { attemptId } = await decidedWrong();
    expect(await look(attemptId, { evidence })).toMatchObject({ state: 'failed', evidence });
    expect(await theAttempt(attemptId, 'resolved_by')).toEqual({ resolved_by: 'Ada' });
  });

  test('only what a person decided is looked at again', async () => {
    const { attemptId } = await aRefundAttempt(orm, { locationId });
    const declined = { evidence: 'not_refunded', isFinal: true } as const;
    await recordFinding(orm.em, { attemptId, finding: declined, now: new Date() });
    expect(await look(attemptId)).toMatchObject({ state: 'failed', message: 'No person decided about this refund.' });
  });

  describe('that housekeeping takes', () => {
    const lookedAgain = (attemptId: number, minutes: number) =>
      change('refund_attempt', { attempt_id: attemptId }, { looked_again_at: minutesAgo(minutes) });

    test('comes with a memo by hand for the same money, and not before it', async () => {
      const { attemptId, returnId } = await decidedWrong();
      await look(attemptId, { evidence: 'not_refunded' });
      expect(await findSecondLooks(fork())).not.toContain(attemptId);
      await settle(returnId, 'manual_card');
      expect(await findSecondLooks(fork())).toContain(attemptId);
      expect(await look(attemptId)).toMatchObject({ state: 'booked' });
      expect(await findSecondLooks(fork())).not.toContain(attemptId);
    });

    test('comes not where cash was handed out', async () => {
      const { attemptId, returnId } = await decidedWrong();
      await settle(returnId, 'cash');
      expect(await findSecondLooks(fork())).not.toContain(attemptId);
    });

    test('comes again after an hour, then after twice as long, for a week', async () => {
      const { attemptId, orderId, returnId } = await decidedWrong();
      await settle(returnId, 'manual_card');
      const [booked] = await memosOf(orderId, 'created_at');
      const bookedBefore = (minutes: number) =>
        change('sales_creditmemo', { order_id: orderId }, { created_at: minutesAgo(minutes) });
      await change('refund_attempt', { attempt_id: attemptId }, { decided_at: minutesAgo(30_000) });
      const isDue = async (memoAge: number, lookAge: number) => {
        await bookedBefore(memoAge);
        await lookedAgain(attemptId, lookAge);
        return (await findSecondLooks(fork())).includes(attemptId);
      };
      expect(await isDue(50, 49)).toBe(false);
      expect(await isDue(70, 65)).toBe(true);
      expect(await isDue(300, 100)).toBe(false);
      expect(await isDue(300, 160)).toBe(true);
      expect(await isDue(60 * 24 * 7 + 1, 60 * 24 * 5)).toBe(false);
      await change('sales_creditmemo', { order_id: orderId }, booked!);
    });

    test('is looked for as many times as one is due, and not once a minute where nothing can be booked', async () => {
      const { attemptId, returnId } = await decidedWrong();
      await settle(returnId, 'manual_card');
      await look(attemptId, { evidence: 'unknown' });
      expect(await findSecondLooks(fork())).not.toContain(attemptId);
    });
  });

  describe('of a refund without a return', () => {
    async function decidedWithoutReturn() {
      const { orderId, invoiceId, itemIds } = await anOrder(fork(), {
        method: 'provider_a',
        lastTransId: randomUUID(),
      });
      const items = [{ orderItemId: itemIds[0]!, qty: pieces(1) }];
      const refund = {
        ...{ orderId, invoiceId: invoiceId!, operationKey: randomUUID(), beginBefore: inMinutes(5).toISOString() },
        figures: { from: 'collectors', items, adjustmentPositive: zero, adjustmentNegative: zero } as const,
        returnToStockItemIds: [],
      };
      const facts = { canRefundThrough: () => true, refuseUnrefundable: () => undefined, readReturned };
      const attemptId = (await openDocumentRefund(fork(), refund, facts)).attemptId!;
      await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
      await change('refund_attempt', { attempt_id: attemptId }, { call_deadline: inSeconds(-60) });
      await recordFinding(orm.em, { attemptId, finding: { evidence: 'unknown' }, now: new Date() });
      await recordFinding(orm.em, { attemptId, finding: wrong, now: new Date() });
      return { attemptId, orderId, items };
    }

    test('is booked, too', async () => {
      const { attemptId, orderId } = await decidedWithoutReturn();
      expect(await look(attemptId)).toMatchObject({ state: 'booked' });
      expect(await memosOf(orderId, 'refund_attempt_id', 'is_online')).toEqual([
        { refund_attempt_id: attemptId, is_online: true },
      ]);
      await booksHold();
    });

    test('takes the memo by hand of the same sum', async () => {
      const { attemptId, orderId, items } = await decidedWithoutReturn();
      const plain = { adjustmentPositive: zero, adjustmentNegative: zero, returnToStockItemIds: [] };
      await refundOrder(fork(), { orderId, items, ...plain });
      expect(await look(attemptId)).toMatchObject({ state: 'booked' });
      expect(await memosOf(orderId, 'refund_attempt_id')).toEqual([{ refund_attempt_id: attemptId }]);
      await booksHold();
    });
  });
});
