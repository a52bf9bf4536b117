import { expect, test, vi } from 'vitest';
import { findingOf, type RefundFinding } from '../../../domain/refunds/refund-finding.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensARefundDesk, gateway, orm, activities, locationId, attemptOf } from './a-refund-desk.ts';
import { minutesAgo } from '../../support/moments.ts';

opensARefundDesk();

const { memosOf, wordsOf, theOrder, theReturn, change } = booksOf(() => orm);
const commentsOf = async (returnId: number) => (await wordsOf(returnId)).length;
const pendingOf = async (orderId: number) =>
  Number((await theOrder(orderId, 'base_pending_refund')).base_pending_refund);

test.each([-60_000, 60_000])(
  'a call may take as long as is set, also where the clock of the worker is %i ms beside that of the database',
  async (shiftMs) => {
    const { attemptId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
    gateway.answer = { evidence: 'refunded', gatewayReference: `gw-shifted${shiftMs}` };
    const real = Date.now;
    const shifted = vi.spyOn(Date, 'now').mockImplementation(() => real() + shiftMs);
    try {
      await activities.refundThroughGateway({ attemptId });
      const [left] = gateway.asked.map(({ deadline }) => deadline.remainingMs());
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(5_000);
    } finally {
      shifted.mockRestore();
    }
  },
);

test('one call is made for an attempt, however often and however concurrently it is asked for', async () => {
  const { attemptId, orderId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });

  const answers = await eightAtOnce(() => activities.refundThroughGateway({ attemptId }));
  const later = await activities.refundThroughGateway({ attemptId });

  expect(gateway.asked).toHaveLength(1);
  expect(gateway.asked[0]).toMatchObject({
    merchantReference: expect.stringMatching(new RegExp(`^refund-attempt-${attemptId}-[0-9a-f]{8}-[0-9a-f]{16}$`)),
    paymentReference: 'pay_1',
    currencyCode: 'USD',
  });
  expect(answers.some(({ state }) => state === 'booked')).toBe(true);
  expect(later).toEqual({ state: 'booked' });
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('an unknown answer of a gateway is left for the look-up', async () => {
  gateway.answer = { evidence: 'unknown', gatewayOutcome: 'timeout' };
  const { attemptId, orderId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });

  expect(await activities.refundThroughGateway({ attemptId })).toEqual({ state: 'started' });
  expect(await memosOf(orderId)).toEqual([]);
});

test('evidence of a refund books one memo and frees what was promised, however often it is recorded', async () => {
  const { attemptId, orderId, returnId } = await aRefundAttempt(orm, { locationId });
  expect(await pendingOf(orderId)).toBe(54);
  const finding: RefundFinding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` };

  const answers = await eightAtOnce(() => activities.recordFinding({ attemptId, finding }));
  const said = await commentsOf(returnId);
  await activities.recordFinding({ attemptId, finding });

  expect(answers).toEqual(Array.from({ length: 8 }, () => ({ state: 'booked' })));
  expect(await memosOf(orderId)).toHaveLength(1);
  expect(await pendingOf(orderId)).toBe(0);
  expect(await commentsOf(returnId)).toBe(said);
  expect(gateway.asked).toHaveLength(0);
});

test('no evidence leaves the attempt uncertain, books nothing, and says it once', async () => {
  const { attemptId, orderId, returnId } = await aRefundAttempt(orm, { locationId, state: 'started' });

  expect(await activities.recordFinding({ attemptId, finding: { evidence: 'unknown' } })).toEqual({
    state: 'uncertain',
  });
  const said = await commentsOf(returnId);
  expect(await activities.recordFinding({ attemptId, finding: { evidence: 'unknown' } })).toEqual({
    state: 'uncertain',
  });

  expect(await commentsOf(returnId)).toBe(said);
  expect(await memosOf(orderId)).toEqual([]);
  expect(await pendingOf(orderId)).toBe(54);
});

test('“not refunded” is not believed while the call may still reach the gateway, and is told when it will be', async () => {
  const { attemptId } = await aRefundAttempt(orm, { locationId, claimedSecondsAgo: 1 });

  const early = await activities.recordFinding({ attemptId, finding: { evidence: 'not_refunded' } });

  expect(early).toMatchObject({ state: 'uncertain' });
  expect((early as { waitSeconds: number }).waitSeconds).toBeGreaterThan(15);
  const word = findingOf({ resolution: 'not_refunded', staffName: 'Ada', note: '' });
  expect(await activities.recordFinding({ attemptId, finding: word })).toMatchObject({ state: 'uncertain' });
  expect((await attemptOf(attemptId)).resolvedBy ?? null).toBeNull();
});

test('a processor that says no first is asked a second time before it is believed', async () => {
  const { attemptId } = await aRefundAttempt(orm, { locationId });

  expect(await activities.recordFinding({ attemptId, finding: { evidence: 'not_refunded' } })).toMatchObject({
    state: 'uncertain',
    waitSeconds: 5,
  });
  expect(
    await activities.recordFinding({
      attemptId,
      finding: { evidence: 'refunded', gatewayReference: `gw-${attemptId}` },
    }),
  ).toEqual({ state: 'booked' });
});

test('an operator’s word is kept with name and note, and frees the return for another refund', async () => {
  const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
  const word = findingOf({ resolution: 'not_refunded', staffName: 'Ada', note: 'not on the statement' });

  expect(await activities.recordFinding({ attemptId, finding: word })).toEqual({ state: 'failed' });

  expect(await attemptOf(attemptId)).toMatchObject({
    state: 'failed',
    resolvedBy: 'Ada',
    resolutionNote: 'not on the statement',
  });
  expect(await pendingOf(orderId)).toBe(0);
});

test('the first verdict wins', async () => {
  const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
  const yes = findingOf({ resolution: 'refunded', staffName: 'Ada', note: '' });
  const no = findingOf({ resolution: 'not_refunded', staffName: 'Bob', note: '' });

  const [first, second] = [
    await activities.recordFinding({ attemptId, finding: no }),
    await activities.recordFinding({ attemptId, finding: yes }),
  ];

  expect([first, second]).toEqual([{ state: 'failed' }, { state: 'failed' }]);
  expect(await memosOf(orderId)).toEqual([]);
});

test('a "no" of an account that was not asked to refund does not count, its "yes" does', async () => {
  const { attemptId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
  gateway.answer = { evidence: 'unknown', gatewayOutcome: 'timeout' };
  await activities.refundThroughGateway({ attemptId });

  gateway.account = 'the account of tomorrow';
  gateway.answer = { evidence: 'not_refunded', gatewayOutcome: 'not_found' };
  expect(await activities.lookUpRefund({ attemptId })).toMatchObject({
    evidence: 'unknown',
    message: expect.stringMatching(/another account of the gateway/),
  });
  gateway.answer = { evidence: 'refunded', gatewayReference: 'gw-moved' };
  expect(await activities.lookUpRefund({ attemptId })).toEqual(gateway.answer);

  gateway.account = 'the account of today';
  gateway.answer = { evidence: 'not_refunded', gatewayOutcome: 'not_found' };
  expect(await activities.lookUpRefund({ attemptId })).toEqual(gateway.answer);
});

test('an unclaimed call was never made: an unknown outcome of it is a "no", and it cannot be claimed any more', async () => {
  const { attemptId, orderId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });

  expect(await activities.recordFinding({ attemptId, finding: { evidence: 'unknown' } })).toEqual({
    state: 'failed',
    message: 'The gateway was not called.',
  });
  expect(await activities.refundThroughGateway({ attemptId })).toEqual({ state: 'failed' });

  expect(await attemptOf(attemptId)).toMatchObject({
    gatewayOutcome: 'not_sent',
    message: 'The gateway was not called.',
    callStartedAt: null,
  });
  expect(gateway.asked).toHaveLength(0);
  expect(await pendingOf(orderId)).toBe(0);
});

test('the no of an earlier call with the same key is a doubt; the next “not refunded” ends the intent, and its key with it', async () => {
  gateway.answer = { evidence: 'unknown', gatewayOutcome: 'repeated_refusal', message: 'declined, as before' };
  const { attemptId, returnId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
  const generation = async () => Number((await theReturn(returnId, 'refund_generation')).refund_generation);
  const before = await generation();

  expect(await activities.refundThroughGateway({ attemptId })).toEqual({ state: 'started' });
  expect(await attemptOf(attemptId)).toMatchObject({ state: 'started', message: 'declined, as before' });
  const word = findingOf({ resolution: 'not_refunded', staffName: 'Ada', note: '' });
  await change('refund_attempt', {}, { call_deadline: minutesAgo(1) });

  expect(await activities.recordFinding({ attemptId, finding: word })).toEqual({
    state: 'failed',
    message: 'declined, as before',
  });
  expect(await generation()).toBe(before + 1);
});

test('an unknown attempt is a refusal', async () => {
  expect(await activities.recordFinding({ attemptId: 999_999, finding: { evidence: 'refunded' } })).toMatchObject({
    refused: { status: 404 },
  });
});
