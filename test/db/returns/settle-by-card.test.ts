import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordMove } from '../../../cli/program.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { bookSettlement, startGatewaySettlement } from '../../../db/returns/settle-return.ts';
import {
  countFollowed,
  findFollowed,
  findOverButFollowed,
  findUnfollowedReturns,
  markFollowed,
  unfollow,
} from '../../../db/returns/followed.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import type { OperationOnReturn } from '../../../db/returns/lock-return.ts';
import { markRestored } from '../../../db/verdicts/mark-restored.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import type { RefundFinding } from '../../../domain/refunds/refund-finding.ts';
import { booksOf } from '../../support/books.ts';
import { tooLate } from '../../support/builders/return-requests.ts';
import { aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useDatabase } from '../../support/fixtures.ts';

describe('followed', () => {
  const orm = useDatabase();
  beforeAll(() => aShop(fork()));

  const { fork, theReturn, change } = booksOf(() => orm);

  const page = { limit: 200 };
  const aFollowedReturn = async () => {
    const { returnId } = await aRequestedReturn(orm);
    await markFollowed(fork(), returnId);
    return returnId;
  };
  const followedAt = async (returnId: number) => (await theReturn(returnId, 'followed_at')).followed_at;
  const unfollowedIds = async () => (await findUnfollowedReturns(fork(), page)).map(({ returnId }) => returnId);

  test('an open return is followed from the first time on, and a terminal one no longer', async () => {
    const { returnId } = await aRequestedReturn(orm);
    expect(await unfollowedIds()).toContain(returnId);
    await markFollowed(fork(), returnId);
    const since = await followedAt(returnId);
    await markFollowed(fork(), returnId);

    expect(since).not.toBeNull();
    expect(await followedAt(returnId)).toEqual(since);
    expect(await unfollowedIds()).not.toContain(returnId);

    await change('sale_return', { return_id: returnId }, { status: 'denied' });
    expect(await findOverButFollowed(fork(), page)).toContain(returnId);
    await markFollowed(fork(), returnId);
    expect(await followedAt(returnId)).toBeNull();
    expect(await findOverButFollowed(fork(), page)).not.toContain(returnId);
    expect(await unfollowedIds()).not.toContain(returnId);
  });

  test('what is looked for has the numbers of the return and of its order', async () => {
    const { returnId, orderId } = await aRequestedReturn(orm);
    const found = (await findUnfollowedReturns(fork(), page)).find((one) => one.returnId === returnId);

    const { increment_id: incrementId } = await theReturn(returnId, 'increment_id');
    expect(found).toEqual({ returnId, orderId, incrementId, orderIncrementId: expect.stringMatching(/^\d{9}$/) });
  });

  test('only open returns lose their workflow, and each is counted once', async () => {
    const [open, over] = [await aFollowedReturn(), await aFollowedReturn()];
    const before = await countFollowed(fork());
    await change('sale_return', { return_id: over }, { status: 'closed' });
    expect(await countFollowed(fork())).toBe(before - 1);
    expect(await findFollowed(fork(), { after: open - 1, limit: 1 })).toEqual([open]);

    expect(await unfollow(fork(), [open, over, 999_999])).toBe(1);
    expect(await unfollow(fork(), [open, over])).toBe(0);
    expect([await followedAt(open), await followedAt(over)]).toEqual([null, expect.anything()]);
  });

  test.each([
    ['an older state of the books', () => markRestored(orm.em)],
    [
      'books at another place',
      () => recordMove({ em: () => Promise.resolve(fork()) } as Parameters<typeof recordMove>[0]),
    ],
  ])('%s: no workflow counts as following a return', async (_case, say) => {
    const returnId = await aFollowedReturn();
    await say();
    expect(await followedAt(returnId)).toBeNull();
    expect(await unfollowedIds()).toContain(returnId);
  });
});

describe('settle by card', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { fork, theReturn, attemptsOf, memosOf, find } = booksOf(() => orm);

  let keys = 0;
  const aKey = () => `operation-${++keys}`;

  const parked = async () => {
    const { returnId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
    await initialiseReturn(orm.em, { returnId, canRefundThrough: () => false });
    return returnId;
  };
  const settle = (asked: OperationOnReturn) =>
    bookSettlement(orm.em, { ...asked, method: 'cash', options: plainSettlement });
  const settleByCard = (asked: OperationOnReturn) =>
    startGatewaySettlement(orm.em, { ...asked, options: plainSettlement, canRefundThrough: () => true });
  const notSent = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'not_sent' } as const;

  describe('a settlement by card under its key', () => {
    const settledByCard = async () => {
      const returnId = await parked();
      const operationKey = aKey();
      const first = await settleByCard({ returnId, operationKey });
      const attemptId = first.attempt!.attemptId;
      const again = () => settleByCard({ returnId, operationKey, ...tooLate() });
      return { returnId, operationKey, attemptId, again };
    };
    const called = (attemptId: number) => claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
    const record = (attemptId: number, finding: RefundFinding) =>
      recordFinding(orm.em, { attemptId, finding, now: new Date() });

    test('is kept with its attempt', async () => {
      const { returnId, operationKey, attemptId } = await settledByCard();
      expect(
        await find('sale_return_operation', { return_id: returnId }, 'operation_key', 'refund_attempt_id'),
      ).toEqual([{ operation_key: operationKey, refund_attempt_id: attemptId }]);
    });

    test('goes on with its attempt while nobody was asked', async () => {
      const { returnId, attemptId, again } = await settledByCard();
      expect(await again()).toMatchObject({ status: 'awaiting_refund', attempt: { attemptId, isClaimed: false } });
      expect(await attemptsOf(returnId)).toHaveLength(1);
    });

    test('waits for a call that is under way, and says for how long', async () => {
      const { attemptId, again } = await settledByCard();
      await called(attemptId);
      const { attempt } = await again();
      expect(attempt).toMatchObject({ attemptId, isClaimed: true });
      expect(attempt!.waitSeconds).toBeGreaterThan(0);
      expect(attempt!.waitSeconds).toBeLessThanOrEqual(21);
    });

    test('is a question while its refund is one', async () => {
      const { returnId, attemptId, again } = await settledByCard();
      await called(attemptId);
      await record(attemptId, { evidence: 'unknown' });
      const parameters = { outcome: 'gateway_uncertain', refund_attempt_id: attemptId, return_id: returnId };
      await expect(again()).rejects.toMatchObject({ status: 409, parameters });
    });

    test('is done once its money is booked', async () => {
      const { returnId, attemptId, again } = await settledByCard();
      await called(attemptId);
      await record(attemptId, { evidence: 'refunded', gatewayReference: `gw-${attemptId}` });
      expect(await again()).toEqual({ status: 'closed' });
      expect(await attemptsOf(returnId)).toHaveLength(1);
    });

    test('is refused as it was where the gateway declined, and another request may try anew', async () => {
      const { returnId, attemptId, again } = await settledByCard();
      await called(attemptId);
      const declined = { evidence: 'not_refunded', isFinal: true, endsIntent: true, message: 'Card expired.' } as const;
      await record(attemptId, declined);

      const parameters = { refund_attempt_id: attemptId };
      expect(await again()).toMatchObject({ status: 'awaiting_refund', refused: { status: 400, parameters } });
      expect(await attemptsOf(returnId)).toHaveLength(1);
      const next = await settleByCard({ returnId, operationKey: aKey() });
      expect(next.attempt!.attemptId).toBeGreaterThan(attemptId);
    });

    test('is not that of another request: while its refund is under way, that is a conflict', async () => {
      const { returnId, attemptId } = await settledByCard();
      const parameters = { outcome: 'gateway_uncertain', refund_attempt_id: attemptId };
      await expect(settleByCard({ returnId, operationKey: aKey() })).rejects.toMatchObject({ status: 409, parameters });
      await expect(settle({ returnId, operationKey: aKey() })).rejects.toMatchObject({ status: 409, parameters });
      expect(await memosOf((await theReturn(returnId, 'order_id')).order_id)).toEqual([]);
    });

    test('is carried out as another refund, once, where the gateway was never called', async () => {
      const { returnId, operationKey, attemptId, again } = await settledByCard();
      await record(attemptId, notSent);

      const next = await settleByCard({ returnId, operationKey });
      expect(next.attempt!.attemptId).toBeGreaterThan(attemptId);
      expect((await again()).attempt).toEqual(next.attempt);
      expect(await attemptsOf(returnId, 'state')).toEqual([{ state: 'failed' }, { state: 'started' }]);
    });

    test('is not carried out again where the gateway was called, whatever it said', async () => {
      const { returnId, attemptId, again } = await settledByCard();
      await called(attemptId);
      await record(attemptId, notSent);
      expect(await again()).toMatchObject({ refused: { status: 400 } });
      expect(await attemptsOf(returnId)).toHaveLength(1);
    });
  });
});
