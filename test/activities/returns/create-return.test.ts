import { describe, expect, test } from 'vitest';
import type { Step } from '../../../activities/returns/return-steps.ts';
import { isRefused, type Outcome } from '../../../domain/outcome.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import {
  aCollapse,
  aCommand,
  aCreation,
  aPiece,
  aStatusRequest,
  refusedTooLate,
  sealed,
  tooLate,
} from '../../support/builders/return-requests.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensACounter, orm, activities, locationId, leftAs, takeUp } from './a-returns-counter.ts';

opensACounter();

const { fork, theReturn, itemsOf, wordsOf, returnsOf, attemptsOf, memosOf, processesOf, change } = booksOf(() => orm);

const byCard = { method: 'provider_a', lastTransId: 'pay_1' };
const aSale = () => anOrder(fork(), byCard);
const stepOf = (answer: Outcome<Step>): Step => {
  if (isRefused(answer) && !('now' in answer)) throw new Error(`refused: ${answer.refused.message}`);
  return answer as Step;
};
const attemptIn = (answer: Outcome<Step>) => stepOf(answer).attempt;
const words = sealed({ comment: 'Too big', goods: [{ reason: 'Size', condition: 'Damaged' }] });

describe('a creation', () => {
  test('says what it is left as, and how much it waits to give back', async () => {
    const { orderId, incrementId: orderIncrementId, ...sale } = await aSale();
    const creation = await aCreation(orm, { orderId, ...sale }, { locationId });

    expect(await activities.createReturn(creation)).toEqual({
      now: {
        ...{ incrementId: creation.request.incrementId, orderId, orderIncrementId },
        ...{ status: 'awaiting_refund', isReady: true, refundMethod: 'cash', attemptId: null, amount: '$54.00' },
      },
    });
  });

  test('writes down what people said, which came sealed', async () => {
    const creation = await aCreation(orm, await aSale(), { words, isAutoApproved: false, refundMethod: null });
    await activities.createReturn(creation);

    const { returnId } = creation;
    expect(await wordsOf(returnId, 'comment', 'author')).toEqual([{ comment: 'Too big', author: 'Front register' }]);
    expect(await itemsOf(returnId, 'reason', 'condition')).toEqual([{ reason: 'Size', condition: 'Damaged' }]);
    expect(JSON.stringify(creation.request)).not.toMatch(/Too big|Size|Damaged/);
  });

  test('names the author only as far as there is room', async () => {
    const creation = await aCreation(orm, await aSale(), { words, by: 'x'.repeat(300) });
    await activities.createReturn(creation);
    expect(await wordsOf(creation.returnId, 'author')).toEqual([{ author: 'x'.repeat(255) }]);
  });

  test('of a sale that has its return says which', async () => {
    const sale = await aSale();
    const wish = { posSaleId: 'sale-of-two' };
    const [first, second] = [await aCreation(orm, sale, wish), await aCreation(orm, sale, wish)];
    await activities.createReturn(first);

    expect(await activities.createReturn(second)).toMatchObject({
      ...{ reusedId: first.returnId, now: { incrementId: first.request.incrementId } },
    });
    expect(await returnsOf(sale.orderId)).toHaveLength(1);
  });

  test('by card has its refund to carry out, also when it comes again', async () => {
    const creation = await aCreation(orm, await aSale(), { refundMethod: 'original_payment' });
    const answers = [...(await eightAtOnce(() => activities.createReturn(creation)))];
    const again = await activities.createReturn(creation);

    const [attempt] = await attemptsOf(creation.returnId, 'attempt_id');
    const attemptId = attempt!.attempt_id;
    for (const answer of [...answers, again])
      expect(answer).toMatchObject({
        ...{ now: { attemptId, isReady: false }, attempt: { attemptId, isClaimed: false, gatewayTimeoutSeconds: 5 } },
      });
    expect(attemptIn(again)).not.toHaveProperty('isLeftOver');
  });

  test('whose goods have no place is held: it stands, and says why', async () => {
    const sale = await aSale();
    const items = [aPiece(sale.itemIds[0]!, { inspectedCondition: 'damaged' })];
    const creation = await aCreation(orm, sale, { items });

    expect(await activities.createReturn(creation)).toMatchObject({
      now: { status: 'pending', isReady: false },
      refused: { status: 400, message: expect.stringContaining('no source for damaged goods') },
    });
  });

  test('for which nobody waits any more leaves nothing', async () => {
    const sale = await aSale();
    const creation = await aCreation(orm, sale, tooLate());
    expect(await activities.createReturn(creation)).toEqual({ refused: refusedTooLate });
    expect(await returnsOf(sale.orderId)).toEqual([]);
  });

  test('paid back in credit alone, where the credit cannot go back, is held before its goods move', async () => {
    const lines = [
      { sku: 'MUG', qty: 1, price: '50' },
      { sku: 'MUG', qty: 1, price: '50', discount: '50' },
    ];
    const sale = await anOrder(fork(), { ...byCard, lines });
    await change('sales_order', { entity_id: sale.orderId }, { state: 'holded' });
    const items = [aPiece(sale.itemIds[1]!)];
    const creation = await aCreation(orm, sale, { items, refundMethod: 'original_payment' });

    expect(await activities.createReturn(creation)).toMatchObject({
      now: { status: 'pending', isReady: false },
      refused: { status: 400 },
    });
    expect(await theReturn(creation.returnId, 'is_ready')).toEqual({ is_ready: false });
  });
});

describe('a collapsed return', () => {
  test('in cash ends in its first step, and says so', async () => {
    const sale = await aSale();
    const collapse = await aCollapse(orm, sale, { words });

    const answer = await activities.collapseReturn(collapse);

    const [run] = await processesOf(sale.orderId, 'process_id', 'state', 'comment');
    expect(run).toMatchObject({ state: 'done', comment: 'Too big' });
    expect(answer).toMatchObject({ processId: run!.process_id, now: { status: 'closed', amount: null } });
    expect(await itemsOf(collapse.returnId, 'reason', 'condition')).toEqual([{ reason: 'Size', condition: 'Damaged' }]);
    expect(await activities.collapseReturn(collapse)).toMatchObject({
      ...{ processId: run!.process_id, now: { status: 'closed' } },
    });
    expect(await memosOf(sale.orderId)).toHaveLength(1);
  });

  test('by card goes on with its own refund when its step is tried again: it is not taken for left over', async () => {
    const sale = await aSale();
    const collapse = await aCollapse(orm, sale, { isOnline: true });
    const first = attemptIn(await activities.collapseReturn(collapse));
    const again = attemptIn(await activities.collapseReturn(collapse));

    expect(first).toMatchObject({ isClaimed: false });
    expect(again).toMatchObject({ attemptId: first!.attemptId, isClaimed: false, isLeftOver: false });
    expect(await attemptsOf(collapse.returnId)).toHaveLength(1);
  });

  test('of a request that made another return says which', async () => {
    const sale = await aSale();
    const first = await aCollapse(orm, sale);
    await activities.collapseReturn(first);
    const second = await aCollapse(orm, sale, { requestKey: first.request.requestKey });

    expect(await activities.collapseReturn(second)).toMatchObject({
      ...{ reusedId: first.returnId, now: { status: 'closed' } },
    });
    expect(await returnsOf(sale.orderId)).toHaveLength(1);
  });

  test('that is refused leaves nothing', async () => {
    const sale = await anOrder(fork());
    const collapse = await aCollapse(orm, sale, { resolution: 'store_credit' });
    expect(await activities.collapseReturn(collapse)).toMatchObject({ refused: { status: 400 } });
    expect(await returnsOf(sale.orderId)).toEqual([]);
  });
});

describe('a return that is taken up', () => {
  test('with a refund of which nobody knows names its attempt, and has nothing to carry out', async () => {
    const { returnId, attemptId } = await aRefundAttempt(orm, { locationId });
    const step = stepOf(await takeUp(returnId));
    expect(step.now).toMatchObject({ status: 'awaiting_refund', attemptId });
    expect(step.attempt).toBeUndefined();
  });

  test('after its call in one go was interrupted names that', async () => {
    const { returnId } = await aReturn(orm, { locationId, isAutoApproved: false, refundMethod: null });
    const request = { ...aCommand(), resolution: 'refund', isOnline: false } as const;
    const opened = await activities.openFastTrack({ returnId, request });
    expect(await takeUp(returnId)).toMatchObject({
      openProcessId: isRefused(opened) ? 0 : opened.processId,
    });
  });

  test('is followed again, where no workflow followed it', async () => {
    const { returnId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
    await change('sale_return', { return_id: returnId }, { followed_at: null });
    await takeUp(returnId);
    expect((await theReturn(returnId, 'followed_at')).followed_at).not.toBeNull();
  });
});

test('a verb that changes nothing answers the return as it is', async () => {
  const { returnId } = await aReturn(orm, { locationId, isAutoApproved: false, refundMethod: null });
  const request = aStatusRequest('approved');
  expect(leftAs(await activities.setReturnStatus({ returnId, request }))).toBe('approved');
  expect(await activities.setReturnStatus({ returnId, request })).toMatchObject({
    now: { status: 'approved', amount: '$54.00' },
  });
});
