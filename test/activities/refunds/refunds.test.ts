import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { concludeRestore } from '../../../db/installation/installation-home.ts';
import { markRestored } from '../../../db/verdicts/mark-restored.ts';
import { findingOf, type RefundFinding } from '../../../domain/refunds/refund-finding.ts';
import type { KnownRefund } from '../../../providers/gateways/payment-gateway.ts';
import { booksOf } from '../../support/books.ts';
import { tooLate } from '../../support/builders/return-requests.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { inMinutes, minutesAgo } from '../../support/moments.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  activities,
  attemptOf,
  faults,
  gateway,
  locationId,
  opensARefundDesk,
  orm,
  shutdown,
} from './a-refund-desk.ts';

describe('refund activities', () => {
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
      const shifted = jest.spyOn(Date, 'now').mockImplementation(() => real() + shiftMs);
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

  const anUnclaimed = () => aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });

  test('a call that would begin too late is not made, and its refund has failed: the money is free again', async () => {
    const { attemptId, orderId } = await anUnclaimed();
    const message = 'Nobody waited for it any more, so the gateway was not called.';

    const answers = await eightAtOnce(() => activities.refundThroughGateway({ attemptId, ...tooLate() }));

    for (const answer of answers) expect(answer).toMatchObject({ state: 'failed' });
    expect(answers).toContainEqual({ state: 'failed', message, isLate: true });
    expect(gateway.asked).toHaveLength(0);
    expect(await attemptOf(attemptId)).toMatchObject({ gatewayOutcome: 'not_sent', message, callStartedAt: null });
    expect(await pendingOf(orderId)).toBe(0);
    expect(await activities.refundThroughGateway({ attemptId })).toEqual({ state: 'failed' });
    expect(gateway.asked).toHaveLength(0);
  });

  test('a call that begins in time is made', async () => {
    const { attemptId } = await anUnclaimed();
    gateway.answer = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` };
    const beginBefore = inMinutes(1).toISOString();
    expect(await activities.refundThroughGateway({ attemptId, beginBefore })).toMatchObject({ state: 'booked' });
    expect(await activities.refundThroughGateway({ attemptId, ...tooLate() })).toEqual({ state: 'booked' });
  });

  test('a call that is under way is not called too late by who comes after it', async () => {
    const { attemptId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: 1 });
    expect(await activities.refundThroughGateway({ attemptId, ...tooLate() })).toEqual({ state: 'started' });
    expect(await attemptOf(attemptId)).toMatchObject({ state: 'started' });
  });

  test('a worker that is stopping hands the call on; another one makes it', async () => {
    const { attemptId } = await anUnclaimed();
    gateway.answer = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` };
    shutdown.hasBegun = true;
    expect(await activities.refundThroughGateway({ attemptId })).toEqual({ state: 'started', isHandedOn: true });
    expect(gateway.asked).toHaveLength(0);

    shutdown.hasBegun = false;
    expect(await activities.refundThroughGateway({ attemptId })).toMatchObject({ state: 'booked' });
    expect(gateway.asked).toHaveLength(1);
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

  test('“not refunded” takes effect only once the call can no longer reach the gateway; a person’s is recorded at once', async () => {
    const { attemptId, orderId } = await aRefundAttempt(orm, { locationId, claimedSecondsAgo: 1 });

    const early = await activities.recordFinding({ attemptId, finding: { evidence: 'not_refunded' } });

    expect(early).toMatchObject({ state: 'uncertain' });
    expect((early as { waitSeconds: number }).waitSeconds).toBeGreaterThan(15);
    expect(await attemptOf(attemptId)).toMatchObject({ resolvedBy: null, decidedAt: null, effectiveAt: null });
    const word = findingOf({ resolution: 'not_refunded', staffName: 'Ada', note: '' });
    const decided = await activities.recordFinding({ attemptId, finding: word });
    expect(decided).toMatchObject({ state: 'uncertain' });
    const { state, resolvedBy, decidedAt, effectiveAt } = await attemptOf(attemptId);
    expect({ state, resolvedBy }).toEqual({ state: 'uncertain', resolvedBy: 'Ada' });
    const { waitSeconds } = decided as { waitSeconds: number };
    expect(waitSeconds).toBeGreaterThan(15);
    expect(effectiveAt!.getTime() - decidedAt!.getTime()).toBe(waitSeconds * 1_000);
    expect(await pendingOf(orderId)).toBe(54);

    await change('refund_attempt', { attempt_id: attemptId }, { call_deadline: minutesAgo(1) });
    expect(await activities.recordFinding({ attemptId, finding: word })).toMatchObject({ state: 'failed' });
    expect(await attemptOf(attemptId)).toMatchObject({ state: 'failed', resolvedBy: 'Ada', decidedAt, effectiveAt });
    expect(await pendingOf(orderId)).toBe(0);
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
    const { attemptId, returnId } = await aRefundAttempt(orm, {
      locationId,
      state: 'started',
      claimedSecondsAgo: null,
    });
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
});

describe('what the books refuse', () => {
  opensARefundDesk();

  const { memosOf, fork, refuseWrites, howMany, change } = booksOf(() => orm);
  /** So that the books take no memo of the order. */
  const allCameBack = (orderId: number) => change('sales_order_item', { order_id: orderId }, { qty_refunded: 2 });

  test('a memo that the books refuse after the gateway refunded becomes a question, never a silence', async () => {
    const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
    await allCameBack(orderId);

    expect(
      await activities.recordFinding({ attemptId, finding: { evidence: 'refunded', gatewayReference: 'gw-x' } }),
    ).toMatchObject({ state: 'uncertain', isUnbooked: true });
    const { message } = await attemptOf(attemptId);
    expect(message).toMatch(/^The gateway refunded, but the credit memo was refused/);
    expect(message).not.toContain('%1');
  });

  describe('what the gateway refunded and the books refused', () => {
    const yes: RefundFinding = { evidence: 'refunded', gatewayOutcome: 'approved', gatewayReference: 'gw-held' };
    const no: RefundFinding = { evidence: 'not_refunded', gatewayOutcome: 'not_found', message: 'Knows of no refund.' };
    const setState = (orderId: number, state: string) => change('sales_order', { entity_id: orderId }, { state });

    async function anUnbookedAttempt(reference: string) {
      const { attemptId, orderId, returnId } = await aRefundAttempt(orm, { locationId });
      await setState(orderId, 'holded');
      const finding = { ...yes, gatewayReference: reference };
      await activities.recordFinding({ attemptId, finding });
      return { attemptId, orderId, returnId, finding };
    }

    test('is not made a no by look-ups that know of nothing, and keeps its sentence', async () => {
      const { attemptId } = await anUnbookedAttempt('gw-held-1');
      for (let times = 0; times < 3; times++) {
        expect(await activities.recordFinding({ attemptId, finding: { ...no, isFinal: times === 2 } })).toMatchObject({
          state: 'uncertain',
          isUnbooked: true,
          message: expect.stringMatching(/^The gateway refunded, but/),
        });
      }
      expect(await attemptOf(attemptId)).toMatchObject({
        gatewayOutcome: 'refunded_unbooked',
        message: expect.stringMatching(/^The gateway refunded, but/),
      });
    });

    test('is booked once the books allow it, and nothing of the doubt is left', async () => {
      const { attemptId, orderId, finding } = await anUnbookedAttempt('gw-held-2');
      await setState(orderId, 'processing');
      expect(await activities.recordFinding({ attemptId, finding })).toMatchObject({ state: 'booked' });
      expect(await attemptOf(attemptId)).toMatchObject({ gatewayOutcome: 'approved', message: null });
      expect(await memosOf(orderId)).toHaveLength(1);
    });

    test('can be called not refunded by a person; the same yes, repeated to the next attempt, is a question again', async () => {
      const { attemptId, finding } = await anUnbookedAttempt('gw-held-3');
      const word = findingOf({ resolution: 'not_refunded', staffName: 'Ada', note: 'reversed' });
      const message = 'Ada said so, after the gateway had said that it refunded.';
      expect(await activities.recordFinding({ attemptId, finding: word })).toEqual({ state: 'failed', message });
      expect(await attemptOf(attemptId)).toMatchObject({ gatewayReference: 'gw-held-3', message });
      const next = await aRefundAttempt(orm, { locationId });
      expect(await activities.recordFinding({ ...next, finding })).toEqual({
        state: 'uncertain',
        isUnbooked: true,
        message: `The gateway refunded, but its reference "gw-held-3" is that of refund attempt ${attemptId}.`,
      });
      expect(await memosOf(next.orderId)).toEqual([]);
    });

    test('counts more than the repeated no that its call was answered with', async () => {
      const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
      const repeated: RefundFinding = {
        evidence: 'unknown',
        gatewayOutcome: 'repeated_refusal',
        message: 'As before.',
      };
      await activities.recordFinding({ attemptId, finding: repeated });
      await setState(orderId, 'holded');
      await activities.recordFinding({ attemptId, finding: { ...yes, gatewayReference: 'gw-held-4' } });
      expect(await activities.recordFinding({ attemptId, finding: { ...no, isFinal: true } })).toMatchObject({
        state: 'uncertain',
        isUnbooked: true,
      });
    });
  });

  test('a word the books refused stays its speaker’s in the message only, and a later verdict is not theirs', async () => {
    const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
    await allCameBack(orderId);
    const word = findingOf({ resolution: 'refunded', staffName: 'Ada', note: 'on the statement' });

    expect(await activities.recordFinding({ attemptId, finding: word })).toEqual({
      state: 'uncertain',
      message: expect.stringMatching(/^Ada said/),
    });
    expect(await attemptOf(attemptId)).toMatchObject({
      message: expect.stringMatching(/^Ada said that the gateway refunded, but the credit memo was refused/),
      resolvedBy: null,
    });
    const declined: RefundFinding = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' };
    expect(await activities.recordFinding({ attemptId, finding: declined })).toMatchObject({ state: 'failed' });

    expect(await attemptOf(attemptId)).toMatchObject({ state: 'failed', resolvedBy: null, resolutionNote: null });
    expect(await howMany('pos_audit_log', { entity_id: String(attemptId) })).toBe(0);
  });

  test('a reference that another attempt has already becomes a question that names it, and books nothing', async () => {
    const first = await aRefundAttempt(orm, { locationId });
    const second = await aRefundAttempt(orm, { locationId, state: 'started' });
    const finding: RefundFinding = { evidence: 'refunded', gatewayReference: 'gw-twice' };

    expect(await activities.recordFinding({ ...first, finding })).toEqual({ state: 'booked' });
    expect(await activities.recordFinding({ ...second, finding })).toMatchObject({ state: 'uncertain' });

    expect(await attemptOf(second.attemptId)).toMatchObject({
      message: `The gateway refunded, but its reference "gw-twice" is that of refund attempt ${first.attemptId}.`,
      gatewayReference: null,
    });
    expect(await memosOf(second.orderId)).toEqual([]);
  });

  test('a refund that no retry would book becomes a question, and the log is told why', async () => {
    const { attemptId, orderId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
    await change('refund_attempt', { attempt_id: attemptId }, { plan: '{"items": null}' });
    gateway.answer = { evidence: 'refunded', gatewayReference: 'gw-odd' };
    faults.length = 0;

    expect(await activities.refundThroughGateway({ attemptId })).toMatchObject({ state: 'uncertain' });

    expect((await attemptOf(attemptId)).message).toBe(
      'The gateway refunded, but the credit memo could not be booked (TypeError). The log of the worker says why.',
    );
    expect(faults).toEqual([expect.objectContaining({ 'attempt.id': attemptId, error: expect.any(TypeError) })]);
    expect(await memosOf(orderId)).toEqual([]);
  });

  test('a refund that cannot be booked while the database is away is booked when it is back', async () => {
    const { attemptId, orderId } = await aRefundAttempt(orm, { locationId, state: 'started' });
    const finding: RefundFinding = { evidence: 'refunded', gatewayReference: 'gw-away' };
    const comeBack = await refuseWrites({ to: 'sales_creditmemo', says: 'terminating connection', code: '57P01' });

    await expect(activities.recordFinding({ attemptId, finding })).rejects.toThrow(
      'the connection to the database was lost',
    );
    expect(await attemptOf(attemptId)).toMatchObject({ state: 'started' });

    await comeBack();
    expect(await activities.recordFinding({ attemptId, finding })).toEqual({ state: 'booked' });
    expect(await memosOf(orderId)).toHaveLength(1);
  });

  test('a "yes" for an unclaimed call stays a question where the books refuse it', async () => {
    const { attemptId, orderId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
    await allCameBack(orderId);

    const finding: RefundFinding = { evidence: 'refunded', gatewayReference: 'gw-y' };
    expect(await activities.recordFinding({ attemptId, finding })).toMatchObject({ state: 'uncertain' });
  });

  test('the memo is exactly what the gateway gave back, even when another refund moved a cent meanwhile', async () => {
    const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
    await change('sales_order_item', { order_id: orderId }, { tax_refunded: 0.01, base_tax_refunded: 0.01 });

    expect(
      await activities.recordFinding({ attemptId, finding: { evidence: 'refunded', gatewayReference: 'gw-c' } }),
    ).toEqual({ state: 'booked' });

    expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: '54.0000' }]);
  });

  describe('after the books were restored from a backup', () => {
    beforeAll(async () => void (await markRestored(orm.em)));
    afterAll(() => concludeRestore(fork()));

    const anAttempt = () => aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
    /** A gateway that tells so of its refunds of the payment. */
    const thatTells = (refunds: readonly KnownRefund[] | undefined) =>
      Object.assign(gateway, { refundsOf: () => Promise.resolve(refunds) });
    const theirs = { gatewayReference: 're_lost', merchantReference: 'refund-attempt-17', amountText: '20.00 USD' };

    test.each([
      ['keeps no list', undefined, 'It keeps no records'],
      ['does not say', () => thatTells(undefined), 'Try again in a moment'],
      ['has a refund that the books lack', () => thatTells([theirs]), '20.00 USD as "re_lost"'],
    ])('nothing is sent where the gateway %s, and the intent stays', async (_what, prepare, words) => {
      prepare?.();
      const { attemptId } = await anAttempt();

      const message = expect.stringContaining(words);
      expect(await activities.refundThroughGateway({ attemptId })).toEqual({ state: 'failed', message });
      expect(gateway.asked).toEqual([]);
      const { gatewayOutcome, endsIntent, ...attempt } = await attemptOf(attemptId);
      expect([gatewayOutcome, endsIntent, attempt.message]).toEqual(['restored_books', false, message]);
    });

    test('a refund is sent where the gateway has none, or only such as the books have', async () => {
      const { attemptId } = await anAttempt();
      gateway.answer = { evidence: 'refunded', gatewayReference: 'gw-after-restore' };
      thatTells([]);

      expect(await activities.refundThroughGateway({ attemptId })).toEqual({ state: 'booked' });
    });

    test('a refund under way at the time of the backup is a question, and its call is not made', async () => {
      const { attemptId } = await anAttempt();
      await markRestored(orm.em);

      await activities.refundThroughGateway({ attemptId });

      expect(gateway.asked).toEqual([]);
      expect(await attemptOf(attemptId)).toMatchObject({ state: 'uncertain', gatewayOutcome: 'restored_books' });
      expect((await markRestored(orm.em)).attemptIds).toEqual([]);
    });
  });
});
