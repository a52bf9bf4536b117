import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { notePassed } from '../../../db/process/note-asked.ts';
import type { ProcessedItem } from '../../../db/process/open-process.ts';
import { startProcessRefund } from '../../../db/process/start-process-refund.ts';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { startGatewaySettlement } from '../../../db/returns/start-gateway-settlement.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import type { RefundFinding } from '../../../domain/refunds/refund-finding.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
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

const { attemptsOf, fork } = booksOf(() => orm);

/** The keys of an attempt that ended so, and of the one after it. */
async function keysAround(finding: RefundFinding): Promise<string[]> {
  const { attemptId, returnId } = await aRefundAttempt(orm, { locationId, state: 'uncertain' });
  expect((await recordFinding(orm.em, { attemptId, finding, now: new Date() })).state).toBe('failed');
  await startGatewaySettlement(orm.em, { returnId, options: plainSettlement, canRefundThrough: () => true });
  const attempts = await attemptsOf(returnId, 'idempotency_key');
  return attempts.map(({ idempotency_key }) => idempotency_key);
}

test('after a doubt the next attempt uses the same key: a late call cannot refund twice', async () => {
  const [first, second] = await keysAround({
    evidence: 'not_refunded',
    resolvedBy: 'Olga',
    resolutionNote: 'not in the portal',
  });

  expect(second).toBe(first);
});

test.each(['not_sent', 'not_processed'])(
  'a call that was %s refused nothing: an earlier call that comes late and the next one stay one refund',
  async (gatewayOutcome) => {
    const [first, second] = await keysAround({ evidence: 'not_refunded', isFinal: true, gatewayOutcome });

    expect(second).toBe(first);
  },
);

test('a definite no ends the intent: the next attempt has a key of its own, or it would be told the old no', async () => {
  const declined = { evidence: 'not_refunded', isFinal: true, endsIntent: true, gatewayOutcome: 'declined' } as const;
  const [first, second] = await keysAround(declined);

  expect(second).not.toBe(first);
});

const saidNo: RefundFinding = { evidence: 'not_refunded', resolvedBy: 'Olga', resolutionNote: 'not in the portal' };
const declined: RefundFinding = {
  evidence: 'not_refunded',
  isFinal: true,
  endsIntent: true,
  gatewayOutcome: 'declined',
};

/** A run that gives the goods of an order back without a return: its refund's key, once the refund has ended so. */
async function keyOfRun(orderId: number, itemIds: readonly number[], finding: RefundFinding): Promise<string> {
  return keyOfRows(
    orderId,
    itemIds.map((itemId) => aProcessedItem(itemId)),
    finding,
  );
}

async function keyOfRows(orderId: number, items: readonly ProcessedItem[], finding: RefundFinding): Promise<string> {
  const canRefundThrough = () => true;
  const { processId } = await aProcess(orm, { orderId, items, isOnline: true, canRefundThrough });
  await notePassed(fork(), processId);
  const { attempt } = await startProcessRefund(orm.em, { processId, canRefundThrough });
  const { attemptId } = attempt!;
  const claimed = await claimRefundCall(fork(), { attemptId, timeoutSeconds: 1 });
  const later = new Date(Date.now() + 3_600_000);
  await recordFinding(orm.em, { attemptId, finding, now: later });
  return claimed!.idempotencyKey;
}

test('goods of an order without a return: the next run repeats an intent that was not refused', async () => {
  const card = { method: 'provider_a', lastTransId: 'pay_1' };
  const mug = { sku: 'MUG', qty: 3, price: '50' };
  const { orderId, itemIds } = await anOrder(fork(), { ...card, lines: [mug, { ...mug, sku: 'PLATE' }] });
  const [first, second] = itemIds as [number, number];

  const afterDoubt = [
    await keyOfRun(orderId, [first, second], saidNo),
    await keyOfRun(orderId, [second, first], saidNo),
  ];
  const other = await keyOfRun(orderId, [first], declined);
  const afterNo = await keyOfRun(orderId, [first], { evidence: 'refunded', gatewayReference: 'gw-given' });
  const afterYes = await keyOfRun(orderId, [first], saidNo);

  expect(afterDoubt[1]).toBe(afterDoubt[0]);
  // Other goods, a documented no, and a refund that was given each make the next one a refund of its own.
  expect(new Set([afterDoubt[0], other, afterNo, afterYes]).size).toBe(4);
});

test('the same goods in one row or in two are the same intent', async () => {
  const lines = [{ sku: 'MUG', qty: 2, price: '50' }];
  const { orderId, itemIds } = await anOrder(fork(), { method: 'provider_a', lastTransId: 'pay_2', lines });
  const row = aProcessedItem(itemIds[0]!);

  const inTwo = await keyOfRows(orderId, [row, { ...row, condition: 'Damaged' }], saidNo);
  const inOne = await keyOfRows(orderId, [{ ...row, qty: pieces(2) }], saidNo);

  expect(inOne).toBe(inTwo);
});
