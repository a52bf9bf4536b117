import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createRefundActivities, type RefundActivities } from '../../../activities/refunds/refund-activities.ts';
import { RefundAttempt } from '../../../db/refunds/refund-attempt.entity.ts';
import { findingOf, type RefundFinding } from '../../../domain/refunds/refund-finding.ts';
import type { PaymentGateway, RefundRequest } from '../../../providers/gateways/payment-gateway.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { builtInReturns, silent, noCredits } from '../../support/fakes.ts';

/** A gateway that says what it is told to, and counts. */
class FakeGateway implements PaymentGateway {
  readonly code = 'fake';
  readonly canLookUp = true;
  canTrack = () => true;
  asked: RefundRequest[] = [];
  answer: RefundFinding = { evidence: 'refunded', gatewayOutcome: 'approved', gatewayReference: 'gw-1' };

  refund(request: RefundRequest): Promise<RefundFinding> {
    this.asked.push(request);
    return Promise.resolve(this.answer);
  }
  lookUpRefund(): Promise<RefundFinding> {
    return Promise.resolve(this.answer);
  }
}

let gateway: FakeGateway;
let orm: MikroORM;
let activities: RefundActivities;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(orm.em.fork()));
  activities = createRefundActivities({
    orm,
    providers: { credits: noCredits, gateways: { for: () => Promise.resolve(gateway) }, returns: builtInReturns },
    log: silent,
    clock: () => new Date(),
    gatewayTimeoutSeconds: 5,
    reconcileAfterSeconds: 60,
  });
});
beforeEach(() => {
  gateway = new FakeGateway();
});
afterAll(() => orm.close());

const eightAtOnce = <Answer>(work: () => Promise<Answer>) => Promise.all(Array.from({ length: 8 }, work));
const count = async (sql: string, id: number) =>
  Number((await orm.em.fork().execute<{ n: string }[]>(sql, [id]))[0]?.n);
const memosOf = (orderId: number) => count('select count(*) as n from sales_creditmemo where order_id = ?', orderId);
const commentsOf = (returnId: number) =>
  count('select count(*) as n from sale_return_comment where return_id = ?', returnId);
const pendingOf = (orderId: number) =>
  count('select base_pending_refund as n from sales_order where entity_id = ?', orderId);
const attemptOf = (attemptId: number) => orm.em.fork().findOneOrFail(RefundAttempt, { attemptId });

test('one call is made for an attempt, however often and however concurrently it is asked for', async () => {
  const { attemptId, orderId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });

  const answers = await eightAtOnce(() => activities.refundThroughGateway({ attemptId }));
  const later = await activities.refundThroughGateway({ attemptId });

  expect(gateway.asked).toHaveLength(1);
  expect(gateway.asked[0]).toMatchObject({
    merchantReference: `refund-attempt-${attemptId}`,
    paymentReference: 'pay_1',
    currencyCode: 'USD',
  });
  expect(answers.some(({ state }) => state === 'booked')).toBe(true);
  expect(later).toEqual({ state: 'booked' });
  expect(await memosOf(orderId)).toBe(1);
});

test('an answer nobody understands is left for the look-up', async () => {
  gateway.answer = { evidence: 'unknown', gatewayOutcome: 'timeout' };
  const { attemptId, orderId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });

  expect(await activities.refundThroughGateway({ attemptId })).toEqual({ state: 'started' });
  expect(await memosOf(orderId)).toBe(0);
});

test('evidence of a refund books one memo and frees what was promised, however often it is recorded', async () => {
  const { attemptId, orderId, returnId } = await aRefundAttempt(orm, { locationId });
  expect(await pendingOf(orderId)).toBe(54);
  const finding: RefundFinding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` };

  const answers = await eightAtOnce(() => activities.recordFinding({ attemptId, finding }));
  const said = await commentsOf(returnId);
  await activities.recordFinding({ attemptId, finding });

  expect(answers).toEqual(Array.from({ length: 8 }, () => ({ state: 'booked' })));
  expect(await memosOf(orderId)).toBe(1);
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
  expect(await memosOf(orderId)).toBe(0);
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
  expect(await memosOf(orderId)).toBe(0);
});

test('a memo that the books refuse after the gateway refunded becomes a question, never a silence', async () => {
  const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
  await orm.em.fork().execute(`update sales_order_item set qty_refunded = qty_invoiced where order_id = ?`, [orderId]);

  expect(
    await activities.recordFinding({ attemptId, finding: { evidence: 'refunded', gatewayReference: 'gw-x' } }),
  ).toEqual({ state: 'uncertain' });
  expect((await attemptOf(attemptId)).message).toMatch(/the credit memo was refused/);
});

test('the memo is exactly what the gateway gave back, even when another refund moved a cent meanwhile', async () => {
  const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
  await orm.em
    .fork()
    .execute(`update sales_order_item set tax_refunded = 0.01, base_tax_refunded = 0.01 where order_id = ?`, [orderId]);

  expect(
    await activities.recordFinding({ attemptId, finding: { evidence: 'refunded', gatewayReference: 'gw-c' } }),
  ).toEqual({ state: 'booked' });

  expect(await count('select grand_total as n from sales_creditmemo where order_id = ?', orderId)).toBe(54);
});

test('the no of an earlier call with the same key is a doubt; the next “not refunded” ends the intent, and its key with it', async () => {
  gateway.answer = { evidence: 'unknown', gatewayOutcome: 'repeated_refusal', message: 'declined, as before' };
  const { attemptId, returnId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
  const generation = () => count('select refund_generation as n from sale_return where return_id = ?', returnId);
  const before = await generation();

  expect(await activities.refundThroughGateway({ attemptId })).toEqual({ state: 'started' });
  expect(await attemptOf(attemptId)).toMatchObject({ state: 'started', message: 'declined, as before' });
  const word = findingOf({ resolution: 'not_refunded', staffName: 'Ada', note: '' });
  await orm.em.fork().execute(`update refund_attempt set call_deadline = now() - interval '1 minute'`);

  expect(await activities.recordFinding({ attemptId, finding: word })).toEqual({ state: 'failed' });
  expect(await generation()).toBe(before + 1);
});

test('an unknown attempt is a refusal', async () => {
  expect(await activities.recordFinding({ attemptId: 999_999, finding: { evidence: 'refunded' } })).toMatchObject({
    refused: { status: 404 },
  });
});
