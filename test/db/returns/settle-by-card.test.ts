import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import type { OperationOnReturn } from '../../../db/returns/lock-return.ts';
import { startGatewaySettlement } from '../../../db/returns/start-gateway-settlement.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import type { RefundFinding } from '../../../domain/refunds/refund-finding.ts';
import { aReturn } from '../../support/builders/return.ts';
import { tooLate } from '../../support/builders/return-requests.ts';
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
    expect(await find('sale_return_operation', { return_id: returnId }, 'operation_key', 'refund_attempt_id')).toEqual([
      { operation_key: operationKey, refund_attempt_id: attemptId },
    ]);
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
