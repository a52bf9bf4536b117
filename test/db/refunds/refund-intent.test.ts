import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { layawayInvariants } from '../../../books/verify/invariants/layaways.ts';
import { verify } from '../../../books/verify/verify.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { lockOrder } from '../../../db/platform/orders/lock-order.ts';
import { notePassed } from '../../../db/process/note-request.ts';
import type { ProcessedItem } from '../../../db/process/process.repository.ts';
import { startProcessRefund } from '../../../db/process/settle-process.ts';
import { nothingLeft } from '../../../db/refunds/refundable-money.ts';
import { type DocumentRefund, openDocumentRefund } from '../../../db/refunds/document-refunds.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { bookSettlement, startGatewaySettlement } from '../../../db/returns/settle-return.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { readReturned } from '../../../db/returns/read-returned.ts';
import { transact } from '../../../db/support/transact.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { PosError } from '../../../domain/errors.ts';
import { zero, pieces } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import type { RefundFinding } from '../../../domain/refunds/refund-finding.ts';
import { booksOf } from '../../support/books.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { anyVerb, itemAt, lineNumber, type Sold, type Verb } from '../../support/builders/order-verbs.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aRefundUnderWay, NoRefundBegun } from '../../support/builders/refund-under-way.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { inMinutes, minutesAgo } from '../../support/moments.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { seed } from '../../support/seed.ts';

describe('any verbs beside a refund', () => {
  const { find, fork, fillShelves } = booksOf(() => orm);

  /** POS_RUNS asks for more. */
  const runs = Number(process.env['POS_RUNS'] ?? 60);

  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
    await fillShelves();
  });

  /** What saves do to the attributes of a layaway is no matter of its refunds. */
  const ofLayaways = new Set(layawayInvariants.map(({ id }) => id));

  const line = fc.record({
    sku: fc.constant('MUG'),
    qty: fc.integer({ min: 1, max: 3 }),
    price: fc.constantFrom('9.99', '33.33', '50'),
    tax: fc.constantFrom('0', '4.01'),
    discount: fc.constantFrom('0', '1.50'),
  });
  const sale = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    shipping: fc.constantFrom('0', '10'),
    shippingTax: fc.constantFrom('0', '0.80'),
    paid: fc.boolean(),
    layaway: fc.boolean(),
    store: fc.constantFrom({ storeId: 1, rate: '1', currency: 'USD' }, { storeId: 2, rate: '1.36', currency: 'CAD' }),
  });
  const refund = fc.record({ at: lineNumber, state: fc.constantFrom('started' as const, 'uncertain' as const) });

  /** A no leaves everything as it was, and so does a return that was held up; anything else is a fault. */
  const unlessRefused = (asked: Promise<unknown>) =>
    asked.catch((error: unknown) => {
      if (!(error instanceof PosError) && !(error instanceof NoRefundBegun)) throw error;
    });

  async function askAll(sold: Sold, verbs: readonly Verb[]) {
    for (const { ask } of verbs) await unlessRefused(ask(fork(), sold));
  }

  const openAttempts = async ({ orderId }: Sold) => {
    const open = { order_id: orderId, state: ['started', 'uncertain'] };
    return (await find('refund_attempt', open, 'attempt_id')).map((row) => row.attempt_id as number);
  };

  /** What was asked of each order, for the reader of a finding. */
  const stories = new Map<number, string[]>();
  const storyOf = (row: Record<string, unknown>) => stories.get(Number(row['order_id']));

  test(
    'whatever is asked of an order beside its refunds, each of them can be booked',
    async () => {
      let booked = 0;
      const property = fc.asyncProperty(
        sale,
        fc.array(anyVerb, { maxLength: 3 }),
        fc.array(fc.tuple(refund, fc.array(anyVerb, { minLength: 1, maxLength: 5 })), { minLength: 1, maxLength: 2 }),
        async ({ store, ...wanted }, before, refunds) => {
          const card = { method: 'provider_a', lastTransId: 'pay_1', shipped: false };
          const sold = await anOrder(fork(), {
            ...wanted,
            ...store,
            ...card,
            paid: wanted.paid && !wanted.layaway,
          });
          stories.set(sold.orderId, [JSON.stringify({ ...wanted, ...store }), ...before.map(({ name }) => name)]);
          await askAll(sold, before);
          for (const [{ at, state }, beside] of refunds) {
            const { orderId } = sold;
            stories.get(orderId)!.push(`refund ${state} of line ${at}`, ...beside.map(({ name }) => name));
            await unlessRefused(aRefundUnderWay(orm, { orderId, itemId: itemAt(sold, at), locationId, state }));
            await askAll(sold, beside);
          }
          for (const attemptId of await openAttempts(sold)) {
            const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;
            expect(await recordFinding(orm.em, { attemptId, finding, now: new Date() })).toMatchObject({
              state: 'booked',
            });
            booked += 1;
          }
        },
      );
      await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
      expect(booked).toBeGreaterThan(0);
      const findings = await verify(fork(), { lookAgainAfterMs: 0 });
      const faults = findings.filter(({ id }) => !ofLayaways.has(id));
      expect(faults.map((finding) => ({ ...finding, stories: finding.rows.map(storyOf) }))).toEqual([]);
    },
    120_000 + runs * 500,
  );
});

describe('nothing left', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

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
});

describe('open document refund', () => {
  let orm: MikroORM;
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
  });
  afterAll(async () => {
    await booksHold();
    await orm.close();
  });

  const { booksHold, find, fork, memosOf } = booksOf(() => orm);
  const soon = inMinutes(10).toISOString();

  /** One of two mugs, of a sale that was paid by card. */
  async function aWish(order: WantedOrder = {}, wish: Partial<DocumentRefund> = {}): Promise<DocumentRefund> {
    const sale = await anOrder(fork(), { method: 'provider_a', lastTransId: `pay_${randomUUID()}`, ...order });
    const items = [{ orderItemId: sale.itemIds[0]!, qty: pieces(1) }];
    return {
      ...{ orderId: sale.orderId, invoiceId: sale.invoiceId!, operationKey: randomUUID(), beginBefore: soon },
      figures: { from: 'collectors', items, adjustmentPositive: zero, adjustmentNegative: zero },
      returnToStockItemIds: [],
      ...wish,
    };
  }

  const open = (wish: DocumentRefund) =>
    openDocumentRefund(fork(), wish, {
      canRefundThrough: () => true,
      refuseUnrefundable: () => undefined,
      readReturned,
    });
  const attemptsOf = (orderId: number) => find('refund_attempt', { order_id: orderId }, 'attempt_id', 'state');

  test('of eight at once, and once more, one attempt is written; each hears of it', async () => {
    const wish = await aWish();
    const opened = await eightAtOnce(() => open(wish));
    opened.push(await open(wish));
    expect(new Set(opened.map(({ attemptId }) => attemptId)).size).toBe(1);
    expect(await attemptsOf(wish.orderId)).toHaveLength(1);
  });

  test('too late nothing is written; what is written already is answered however late', async () => {
    const wish = await aWish();
    const late = { ...wish, beginBefore: minutesAgo(1).toISOString() };
    await expect(open(late)).rejects.toMatchObject({ status: 503 });
    expect(await attemptsOf(wish.orderId)).toEqual([]);
    const opened = await open(wish);
    expect((await open(late)).attemptId).toBe(opened.attemptId);
  });

  test('all of it credit: eight at once book one memo, and the credit is back once', async () => {
    const customerId = await aCustomerWithCredit(orm, '108');
    const wish = await aWish({ customerId, credits: [{ credit_type: 'store_credit', amount: 108 }] });
    const opened = await eightAtOnce(() => open(wish));
    opened.push(await open(wish));
    expect(opened.map(({ attemptId }) => attemptId)).toEqual(opened.map(() => null));
    expect(await memosOf(wish.orderId)).toHaveLength(1);
    expect(await walletOf(orm, customerId)).toBe('54.0000');
  });

  test('another request while one is undecided is told of it', async () => {
    const wish = await aWish();
    const { attemptId } = await open(wish);
    await expect(open({ ...wish, operationKey: randomUUID() })).rejects.toMatchObject({
      status: 409,
      parameters: { outcome: 'gateway_uncertain', refund_attempt_id: attemptId },
    });
  });

  test('an attempt that was given up before its call leaves its request free to begin again; one that was called does not', async () => {
    const wish = await aWish();
    const { attemptId: first } = await open(wish);
    await recordFinding(fork(), { attemptId: first!, finding: { evidence: 'unknown' }, now: new Date() });
    const { attemptId: second } = await open(wish);
    expect(second).not.toBe(first);

    await claimRefundCall(fork(), { attemptId: second!, timeoutSeconds: 5 });
    const no = { evidence: 'not_refunded', isFinal: true, message: 'declined' } as const;
    await recordFinding(fork(), { attemptId: second!, finding: no, now: new Date() });
    expect(await open(wish)).toMatchObject({ attemptId: second, state: 'failed', message: 'declined' });
  });

  test('an invoice of another order, and goods of another order, are refused', async () => {
    const [wish, other] = [await aWish(), await aWish()];
    await expect(open({ ...wish, invoiceId: other.invoiceId })).rejects.toMatchObject({ status: 404 });
    const goods = other.figures.from === 'collectors' ? other.figures.items.map((item) => item.orderItemId) : [];
    await expect(open({ ...wish, returnToStockItemIds: goods })).rejects.toMatchObject({ status: 400 });
    expect(await attemptsOf(wish.orderId)).toEqual([]);
  });
});

describe('refund intent', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

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
});
