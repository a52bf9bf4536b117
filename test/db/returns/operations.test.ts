import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { cancelRefund } from '../../../db/returns/cancel-refund.ts';
import { closeReturn } from '../../../db/returns/close-return.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import type { OperationOnReturn } from '../../../db/returns/lock-return.ts';
import { receiveReturn } from '../../../db/returns/receive-return.ts';
import { resolveReturn } from '../../../db/returns/resolve-return.ts';
import { setReturnStatus } from '../../../db/returns/set-return-status.ts';
import { startGatewaySettlement } from '../../../db/returns/start-gateway-settlement.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import type { RefundFinding } from '../../../domain/refunds/refund-finding.ts';
import { aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { refusedTooLate, tooLate } from '../../support/builders/return-requests.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const { fork, theReturn, itemsOf, attemptsOf, memosOf, wordsOf, auditOf, movementsOf, find, howMany } = booksOf(
  () => orm,
);

let keys = 0;
const aKey = () => `operation-${++keys}`;

const canRefundThrough = () => true;
const requested = async () => (await aRequestedReturn(orm)).returnId;
const approved = async () => {
  const returnId = await requested();
  await setReturnStatus(orm.em, { returnId, status: 'approved' });
  return returnId;
};
const parked = async (refundMethod: 'cash' | 'original_payment' = 'cash') => {
  const { returnId } = await aReturn(orm, { locationId, refundMethod });
  await initialiseReturn(orm.em, { returnId, canRefundThrough: () => false });
  return returnId;
};
const firstItem = async (returnId: number) => (await itemsOf(returnId, 'entity_id'))[0]!.entity_id;

type Ask = (asked: OperationOnReturn) => Promise<{ status: string }>;
const close: Ask = (asked) => closeReturn(orm.em, { ...asked, comment: 'She keeps it' });
const settle: Ask = (asked) => bookSettlement(orm.em, { ...asked, method: 'cash', options: plainSettlement });
const settleByCard = (asked: OperationOnReturn) =>
  startGatewaySettlement(orm.em, { ...asked, options: plainSettlement, canRefundThrough });

/** Each verb on a return that is ready for it, what it makes of that, and what moves the return on afterwards. */
const verbs: Record<string, { before: () => Promise<number>; ask: Ask; to: string; then?: Ask }> = {
  'an approval': {
    before: requested,
    ask: (asked) => setReturnStatus(orm.em, { ...asked, status: 'approved', comment: 'Fine by me' }),
    to: 'approved',
    then: close,
  },
  'goods taken in': {
    before: approved,
    ask: async (asked) => {
      const seen = { inspection: null, condition: null, qtyReceived: null, returnToStock: null };
      const lines = [{ rmaItemId: await firstItem(asked.returnId), ...seen }];
      return receiveReturn(orm.em, { ...asked, locationId, lines });
    },
    to: 'items_received',
    then: settle,
  },
  'a resolution': {
    before: parked,
    ask: async (asked) => {
      const line = { rmaItemId: await firstItem(asked.returnId), mode: 'refund', refundMethod: 'cash' } as const;
      return resolveReturn(orm.em, { ...asked, resolutions: [line], canRefundThrough });
    },
    to: 'resolved',
  },
  'a settlement in cash': { before: parked, ask: settle, to: 'closed' },
  'a refund that is cancelled': {
    before: parked,
    ask: (asked) => cancelRefund(orm.em, { ...asked, comment: 'She wants to think' }),
    to: 'received',
    then: settle,
  },
  'a close': { before: parked, ask: close, to: 'closed' },
};

/** Everything that a verb may write. */
const tracesOf = async (returnId: number) => ({
  rma: await theReturn(returnId, 'status', 'refund_method', 'credit_memo_id', 'followed_at'),
  items: await itemsOf(returnId, 'status', 'qty_approved', 'qty_received', 'resolution_mode'),
  told: await wordsOf(returnId, 'comment'),
  audited: await auditOf('return', returnId, 'new_value'),
  moved: await movementsOf(returnId, 'kind', 'quantity'),
  attempts: await attemptsOf(returnId, 'state'),
  memos: await howMany('sales_creditmemo'),
  operations: await howMany('sale_return_operation'),
});

describe.each(Object.entries(verbs))('%s', (_verb, { before, ask, to }) => {
  test('that comes when nobody waits any more is refused, and nothing is written', async () => {
    const returnId = await before();
    const traces = await tracesOf(returnId);

    await expect(ask({ returnId, operationKey: aKey(), ...tooLate() })).rejects.toMatchObject(refusedTooLate);

    expect(await tracesOf(returnId)).toEqual(traces);
  });

  test('that is done is answered under its key, whenever it comes again, and done once', async () => {
    const returnId = await before();
    const operationKey = aKey();

    const answers = await eightAtOnce(() => ask({ returnId, operationKey }));
    const traces = await tracesOf(returnId);

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => to));
    expect(await ask({ returnId, operationKey, ...tooLate() })).toMatchObject({ status: to });
    expect(await tracesOf(returnId)).toEqual(traces);
    expect(await find('sale_return_operation', { return_id: returnId }, 'operation_key', 'refund_attempt_id')).toEqual([
      { operation_key: operationKey, refund_attempt_id: null },
    ]);
  });

  test('is of a return that is followed until it is over', async () => {
    const returnId = await before();
    const followed = async () => (await theReturn(returnId, 'followed_at')).followed_at !== null;
    expect(await followed()).toBe(true);

    await ask({ returnId, operationKey: aKey() });

    expect(await followed()).toBe(to !== 'closed' && to !== 'resolved');
  });
});

/** Those that leave a return open. */
const followedUp = Object.entries(verbs).flatMap(([verb, { then, ...rest }]) =>
  then === undefined ? [] : [[verb, { ...rest, then }] as const],
);

test.each(followedUp)(
  '%s that is done is not done again once the return has moved on',
  async (_verb, { before, ask, then }) => {
    const returnId = await before();
    const operationKey = aKey();
    await ask({ returnId, operationKey });
    const { status } = await then({ returnId, operationKey: aKey() });
    const traces = await tracesOf(returnId);

    expect(await ask({ returnId, operationKey, ...tooLate() })).toMatchObject({ status });
    expect(await tracesOf(returnId)).toEqual(traces);
  },
);

test('a refund is not cancelled under another key once its return is over', async () => {
  const returnId = await parked();
  await verbs['a refund that is cancelled']!.ask({ returnId, operationKey: aKey() });
  await settle({ returnId, operationKey: aKey() });

  const refusal = { status: 400, parameters: ['closed'] };
  await expect(cancelRefund(orm.em, { returnId, operationKey: aKey() })).rejects.toMatchObject(refusal);
});

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
});
