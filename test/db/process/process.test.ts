import { describe, expect, test } from '@jest/globals';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { createShipment } from '../../../db/platform/shipments/shipments.ts';
import { collapseReturn, recordTaken, type CollapsedReturn } from '../../../db/process/collapse-return.ts';
import { noteRequest, notePassed } from '../../../db/process/note-request.ts';
import { openProcessOfReturn } from '../../../db/process/open-process.ts';
import { findProcess } from '../../../db/process/process.repository.ts';
import { leaveUnattempted, refuseProcess } from '../../../db/process/process-steps.ts';
import { settleProcess, startProcessRefund } from '../../../db/process/settle-process.ts';
import { drawReturn } from '../../../db/returns/draw-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { zero, pieces } from '../../../domain/money.ts';
import { builtInCode, noObjection } from '../../../domain/returns/eligibility.ts';
import { booksOf } from '../../support/books.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { refusedTooLate, tooLate } from '../../support/builders/return-requests.ts';
import { aReturn } from '../../support/builders/return.ts';
import { opensAShop, orm } from '../../support/order-book.ts';
import { eightAtOnce, outcomesAtOnce } from '../../support/rivals.ts';

describe('collapse return', () => {
  opensAShop();

  type Wish = Partial<CollapsedReturn> & Pick<CollapsedReturn, 'orderId' | 'items'>;

  let requests = 0;
  /** As its route asks for it, with numbers that it drew for the return. */
  const wishOf = async (wish: Wish): Promise<CollapsedReturn> => ({
    requestKey: `collapse-${++requests}`,
    numbers: await drawReturn(fork(), { orderId: wish.orderId, locationId: null }),
    customerId: null,
    resolution: 'refund',
    resolutionId: null,
    isOnline: false,
    comment: null,
    author: 'Ada',
    provider: { code: builtInCode, resolutionIds: [], verdict: noObjection },
    canRefundThrough: () => false,
    storeCreditIn: 'store_credit',
    ...wish,
  });
  const collapse = async (wish: Wish) => collapseReturn(orm.em, await wishOf(wish));

  /** As with a provider outside: written down, taken on, settled. */
  async function theLongWay(wish: Wish): Promise<void> {
    const { processId } = await aProcess(orm, await wishOf(wish));
    await noteRequest(fork(), { processId, providerCode: builtInCode });
    await recordTaken(orm.em, { processId, providerCode: builtInCode, reference: null, isRestockedHere: true });
    await settleProcess(orm.em, processId);
  }

  const {
    linesOf,
    paymentsOf,
    memosOf,
    promisesOf,
    commentsOf,
    returnsOf,
    processesOf,
    creditRefundsOf,
    find,
    fork,
    shelf,
    creditReturnsOf,
    change,
    booksHold,
  } = booksOf(() => orm);

  /** Of both ways the same but for ids, numbers and moments. */
  const own = /(_id|_key|_at|_tail|_code)$/;
  const withoutNumber = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/\d{9}/g, '#') : value);
  const plain = (found: Record<string, unknown>[]) =>
    found.map((row) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([column, value]) => (own.test(column) ? [] : [[column, withoutNumber(value)]])),
      ),
    );

  async function tracesOf(orderId: number) {
    const [runs, returns, memos] = [await processesOf(orderId), await returnsOf(orderId), await memosOf(orderId)];
    const ids = (found: Record<string, unknown>[], column: string) => found.map((row) => row[column]);
    const returnId = ids(returns, 'return_id');
    const items = await find('sale_return_item', { return_id: returnId });
    const audited = { entity_type: 'return', entity_id: returnId.map(String) };
    const found = {
      order: await find('sales_order', { entity_id: orderId }),
      lines: await linesOf(orderId),
      payment: await paymentsOf(orderId),
      runs,
      goods: await find('return_process_item', { process_id: ids(runs, 'process_id') }),
      returns,
      items,
      movements: await find('sale_return_movement', { return_item_id: ids(items, 'entity_id') }),
      memos,
      memoLines: await find('sales_creditmemo_item', { parent_id: ids(memos, 'entity_id') }),
      promised: await promisesOf(orderId),
      credited: await creditRefundsOf(orderId),
      givenBack: await creditReturnsOf(orderId),
      history: await commentsOf(orderId, 'comment', 'status'),
      told: await find('sale_return_comment', { return_id: returnId }, 'comment', 'status', 'author'),
      audited: await find('pos_audit_log', audited, 'old_value', 'new_value', 'field_name', 'change_source'),
    };
    return Object.fromEntries(Object.entries(found).map(([name, records]) => [name, plain(records)]));
  }

  test.each([
    ['refund', ['Unopened'], {}],
    ['refund', ['Damaged', null], {}],
    ['refund', [null], { shipped: false }],
    ['exchange', ['Opened'], {}],
    ['store_credit', ['Unopened'], {}],
    ['refund', ['Unopened'], { credits: [{ credit_type: 'store_credit', amount: 80 }] }],
    ['store_credit', ['Unopened'], { credits: [{ credit_type: 'store_credit', amount: 80 }] }],
  ] as const)('%s of goods said to be %j, sold as %j: every row as by the long way', async (resolution, said, sold) => {
    const found = [];
    for (const way of [collapse, theLongWay]) {
      const customerId = await aCustomerWithCredit(orm, '100');
      const { orderId, itemIds } = await anOrder(fork(), { customerId, ...sold });
      const items = said.map((condition) => aProcessedItem(itemIds[0]!, { condition, reason: 'Too big' }));
      await way({ orderId, items, resolution, customerId, comment: 'Handle is loose.' });
      found.push(await tracesOf(orderId));
    }
    expect(found[0]).toEqual(found[1]);
    expect(found[0]).toMatchObject({ runs: [{ state: 'done' }], returns: [{ status: 'closed' }] });
    await booksHold();
  });

  test('of eight at once under one key one is carried out; the others are answered by what it wrote', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const wish = { orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'one-key' };
    const runs = await eightAtOnce(() => collapse(wish));
    const again = await collapse(wish);

    expect(runs.filter(({ isReused }) => !isReused)).toHaveLength(1);
    const { processId, returnId } = again;
    expect(runs.map((run) => [run.processId, run.returnId])).toEqual(runs.map(() => [processId, returnId]));
    expect(again.isReused).toBe(true);
    expect(await memosOf(orderId)).toHaveLength(1);
    expect(await returnsOf(orderId, 'return_id')).toEqual([{ return_id: returnId }]);
  });

  test('of eight at once for the same goods as many are carried out as there are goods', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const items = [aProcessedItem(itemIds[0]!)];
    const { done, refused } = await outcomesAtOnce(8, () => collapse({ orderId, items }));
    expect(done).toHaveLength(2);
    expect(refused).toMatchObject(refused.map(() => ({ status: 400, parameters: { reason_code: 'quantity' } })));
    expect(await memosOf(orderId)).toHaveLength(2);
  });

  test('one key for two orders at once: one is carried out, the other one is told so', async () => {
    const sales = [await anOrder(fork()), await anOrder(fork())];
    const { done, refused } = await outcomesAtOnce(2, async (number) => {
      const { orderId, itemIds } = sales[number]!;
      return collapse({ orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'of-two-orders' });
    });
    expect(done).toHaveLength(1);
    expect(refused).toMatchObject([{ status: 400, message: 'This request already asked for another return.' }]);
  });

  const byCard = { method: 'provider_a', lastTransId: 'pay_1' };
  const online = { isOnline: true, canRefundThrough: () => true };

  test('a refund to the card is written down with the goods, before anybody is asked', async () => {
    const { orderId, itemIds } = await anOrder(fork(), byCard);
    const run = await collapse({ ...online, orderId, items: [aProcessedItem(itemIds[0]!)] });

    expect(run).toMatchObject({ isReused: false, attempt: { isClaimed: false } });
    const { attemptId } = run.attempt!;
    expect(await processesOf(orderId, 'state', 'refund_attempt_id')).toEqual([
      { state: 'open', refund_attempt_id: attemptId },
    ]);
    expect(await returnsOf(orderId, 'status')).toEqual([{ status: 'awaiting_refund' }]);

    const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;
    await recordFinding(orm.em, { attemptId, finding, now: new Date() });
    expect(await returnsOf(orderId, 'status')).toEqual([{ status: 'closed' }]);
    await booksHold();
  });

  /** A refund that took so much money, and brought no goods back. */
  function goodwillOf(sum: number) {
    const [inBase, inOrder] = [
      { base_adjustment_positive: sum, base_total_refunded: sum },
      { adjustment_positive: sum },
    ];
    return { ...inBase, ...inOrder, total_refunded: sum };
  }

  test.each([
    ['nothing is left to refund', goodwillOf(108), {}],
    ['no gateway can take the payment back', {}, { isOnline: true }],
    ['store credit has no customer', {}, { resolution: 'store_credit' }],
    ['nobody waits for it any more', {}, tooLate()],
  ] as const)('where %s, neither run, return, memo nor goods are left behind', async (_why, changes, wish) => {
    const { orderId, itemIds } = await anOrder(fork());
    if (Object.keys(changes).length > 0) await change('sales_order', { entity_id: orderId }, changes);
    const before = await tracesOf(orderId);
    const onTheShelf = await shelf();

    const refusal = 'beginBefore' in wish ? refusedTooLate : { status: 400 };
    await expect(collapse({ orderId, items: [aProcessedItem(itemIds[0]!)], ...wish })).rejects.toMatchObject(refusal);

    expect(await tracesOf(orderId)).toEqual(before);
    expect(await shelf()).toBe(onTheShelf);
  });

  test('a key that is done is answered first, also when nobody waits any more', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const wish = { orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'done-in-time' };
    const first = await collapse(wish);

    expect(await collapse({ ...wish, ...tooLate() })).toMatchObject({
      ...{ processId: first.processId, returnId: first.returnId, isReused: true },
    });
  });

  test('a key of other content is refused, and the first run stays', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const wish = { orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'two-contents' };
    await collapse(wish);

    await expect(collapse({ ...wish, resolution: 'exchange' })).rejects.toMatchObject({ status: 400 });
    expect(await memosOf(orderId)).toHaveLength(1);
  });

  test.each([
    ['in cash it is over', {}, false],
    ['by card it waits for its refund', online, true],
  ])('its return is followed while it is open: %s', async (_case, wish, isFollowed) => {
    const { orderId, itemIds } = await anOrder(fork(), byCard);
    await collapse({ ...wish, orderId, items: [aProcessedItem(itemIds[0]!)] });

    const [rma] = await returnsOf(orderId, 'followed_at');
    expect(rma!.followed_at !== null).toBe(isFollowed);
  });
});

describe('open process', () => {
  opensAShop();

  const { fork, howMany, theReturn, booksHold } = booksOf(() => orm);
  const canRefundThrough = () => false;
  const online = { resolution: 'refund', isOnline: true, canRefundThrough, storeCreditIn: undefined } as const;
  const allCredit = [{ credit_type: 'store_credit', amount: 108 }];

  test('an online refund of what was all paid by credit needs no gateway: it is booked, and the credit is back', async () => {
    const customerId = await aCustomerWithCredit(orm, '200');
    const { orderId, itemIds } = await anOrder(fork(), { customerId, credits: allCredit });
    const { processId } = await aProcess(orm, { ...online, orderId, items: [aProcessedItem(itemIds[0]!)] });
    await notePassed(fork(), processId);

    expect(await startProcessRefund(orm.em, { processId, canRefundThrough })).toEqual({ isCreditOnly: true });
    await settleProcess(orm.em, processId);

    expect(await findProcess(fork(), processId)).toMatchObject({
      state: 'done',
      refundTotal: 54,
      isOnlineRefund: false,
    });
    expect(await walletOf(orm, customerId)).toBe('146.0000');
    await booksHold();
  });

  test('so does that of a return', async () => {
    const customerId = await aCustomerWithCredit(orm, '200');
    const order = { customerId, credits: allCredit, method: 'checkmo' };
    const { returnId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null, order });
    const opened = await openProcessOfReturn(orm.em, { ...online, returnId, requestKey: 'all-credit', author: 'Ada' });
    const processId = opened.processId ?? 0;
    await recordTaken(orm.em, { processId, providerCode: 'builtin', reference: null, isRestockedHere: true });

    expect(await startProcessRefund(orm.em, { processId, canRefundThrough })).toEqual({ isCreditOnly: true });
    await settleProcess(orm.em, processId);

    expect(await findProcess(fork(), processId)).toMatchObject({ state: 'done', returnId, refundTotal: 54 });
    expect(await walletOf(orm, customerId)).toBe('146.0000');
  });

  test('an online refund that comes to zero needs no gateway either: the goods come back, and no money', async () => {
    const lines = [
      { sku: 'MUG', qty: 1, price: '50' },
      { sku: 'MUG', qty: 1, price: '50', discount: '50' },
    ];
    const { orderId, itemIds } = await anOrder(fork(), { lines });
    const { processId } = await aProcess(orm, { ...online, orderId, items: [aProcessedItem(itemIds[1]!)] });
    await notePassed(fork(), processId);

    expect(await startProcessRefund(orm.em, { processId, canRefundThrough })).toEqual({ isCreditOnly: true });
    await settleProcess(orm.em, processId);

    expect(await findProcess(fork(), processId)).toMatchObject({
      state: 'done',
      refundTotal: 0,
      isOnlineRefund: false,
    });
    await booksHold();
  });

  test('what was paid by credit in part does need one', async () => {
    const customerId = await aCustomerWithCredit(orm, '200');
    const credits = [{ credit_type: 'store_credit', amount: 50 }];
    const { orderId, itemIds } = await anOrder(fork(), { customerId, credits });
    const items = [aProcessedItem(itemIds[0]!)];
    const refusal = { status: 400, parameters: { outcome: 'refund_from_admin' } };
    await expect(aProcess(orm, { ...online, orderId, items })).rejects.toMatchObject(refusal);
  });

  test('a memo that took the goods of an earlier return is older than the run that finds nothing left: the books hold', async () => {
    const { returnId, orderId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null });
    const everything = {
      orderId,
      items: [],
      adjustmentPositive: zero,
      adjustmentNegative: zero,
      returnToStockItemIds: [],
    };
    await refundOrder(orm.em, everything);
    const wish = { ...online, isOnline: false, returnId, requestKey: 'too-late', author: 'Ada' };
    const { processId } = await openProcessOfReturn(orm.em, wish);

    await expect(settleProcess(orm.em, processId ?? 0)).rejects.toMatchObject({ status: 400 });

    await booksHold();
  });

  describe('a run of a return that was there before', () => {
    const byKey = (returnId: number, requestKey: string, more: { beginBefore?: string } = {}) =>
      openProcessOfReturn(orm.em, { ...online, isOnline: false, returnId, requestKey, author: 'Ada', ...more });
    const aRun = async (requestKey: string) => {
      const { returnId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null });
      const { processId } = await byKey(returnId, requestKey);
      return { returnId, processId: processId ?? 0 };
    };
    const taken = { providerCode: 'builtin', reference: null, isRestockedHere: true };

    test.each([
      ['was refused', 'refused', 400],
      ['failed', 'failed', 500],
    ] as const)('and %s is answered under its key, and no second one is written', async (_how, state, status) => {
      const { returnId, processId } = await aRun(`ended-${state}`);
      const refusal = { status, message: 'The provider does not take this product.' };
      await refuseProcess(orm.em, { processId, state, refusal });

      expect(await byKey(returnId, `ended-${state}`)).toEqual({ processId });
      expect(await findProcess(fork(), processId)).toMatchObject({ state, refusal });
      const next = await byKey(returnId, `after-${state}`);
      expect(next.processId).toBeGreaterThan(processId);
    });

    test('and that nobody took on is answered under its key', async () => {
      const { returnId, processId } = await aRun('nobody');
      await leaveUnattempted(orm.em, processId);
      expect(await byKey(returnId, 'nobody', tooLate())).toEqual({ processId });
    });

    test('and that a doubt about another refund held up is opened again under its key, and carried out', async () => {
      const { returnId, processId } = await aRun('held-up');
      const refusal = { status: 409, message: 'Another refund of the order is undecided.' };
      await refuseProcess(orm.em, { processId, state: 'refused', refusal });

      expect(await byKey(returnId, 'held-up')).toEqual({ processId });
      expect(await findProcess(fork(), processId)).toMatchObject({ state: 'open', refusal: null });
      await recordTaken(orm.em, { processId, ...taken });
      await settleProcess(orm.em, processId);
      expect(await findProcess(fork(), processId)).toMatchObject({ state: 'done', returnId });
      expect(await theReturn(returnId, 'status', 'followed_at')).toEqual({ status: 'closed', followed_at: null });
    });

    test('is not begun for who waits no more; one that is open is joined all the same', async () => {
      const { returnId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null });
      await expect(byKey(returnId, 'late', tooLate())).rejects.toMatchObject(refusedTooLate);
      expect(await howMany('return_process', { return_id: returnId })).toBe(0);

      const { processId } = await byKey(returnId, 'in-time');
      expect(await byKey(returnId, 'joins', tooLate())).toEqual({ processId });
    });

    test('is opened once, however many ask at once under one key', async () => {
      const { returnId } = await aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null });
      const answers = await eightAtOnce(() => byKey(returnId, 'one-key'));
      expect(new Set(answers.map(({ processId }) => processId)).size).toBe(1);
      expect(await howMany('return_process', { return_id: returnId })).toBe(1);
    });
  });

  describe('goods without a return', () => {
    const aWish = async () => {
      const { orderId, itemIds } = await anOrder(fork());
      return { orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: `wish-${orderId}` };
    };

    test('are not asked back for who waits no more, and nothing is written', async () => {
      const wish = await aWish();
      await expect(aProcess(orm, { ...wish, ...tooLate() })).rejects.toMatchObject(refusedTooLate);
      expect(await howMany('return_process', { order_id: wish.orderId })).toBe(0);
    });

    test('that were asked back are answered under their key first', async () => {
      const wish = await aWish();
      const { processId } = await aProcess(orm, wish);
      expect(await aProcess(orm, { ...wish, ...tooLate() })).toMatchObject({ processId, isReused: true });
    });
  });
});

describe('settle process', () => {
  opensAShop();

  const { shelf, fork, booksHold } = booksOf(() => orm);

  /** No provider takes the run on: its memo is booked without a return. */
  const settleAlone = async (processId: number) => {
    await notePassed(fork(), processId);
    await settleProcess(orm.em, processId);
  };

  test('a cent of rounding in the base currency alone gives no store credit, and the run ends', async () => {
    const customerId = await aCustomerWithCredit(orm, '200');
    const { orderId, itemIds } = await anOrder(fork(), {
      customerId,
      rate: '0.6',
      currency: 'EUR',
      credits: [{ credit_type: 'store_credit', amount: 64.79 }],
    });
    const items = itemIds.map((itemId) => aProcessedItem(itemId));
    const { processId } = await aProcess(orm, { orderId, items, customerId, resolution: 'store_credit' });

    await settleAlone(processId);

    expect(await findProcess(fork(), processId)).toMatchObject({ state: 'done', storeCreditIssued: 0 });
    expect(await walletOf(orm, customerId)).toBe('146.0100');
    await booksHold();
  });

  test.each([
    ['two good rows of one line: all of it comes back', ['Unopened', 'Opened'], 2],
    ['good and damaged rows of one line: the good ones come back', ['Damaged', 'Unopened', 'Opened'], 2],
    ['two damaged rows of one line: nothing comes back', ['Damaged', 'damaged'], 0],
  ])('%s', async (_case, conditions, back) => {
    const { orderId, itemIds } = await anOrder(fork(), { lines: [{ sku: 'MUG', qty: 3, price: '50' }] });
    const before = await shelf();
    const items = conditions.map((condition) => aProcessedItem(itemIds[0]!, { condition }));
    const { processId } = await aProcess(orm, { orderId, items });

    await settleAlone(processId);

    expect(await shelf()).toBe(before + back);
    await booksHold();
  });

  test('of a line that was handed over in part, what is damaged is of what was handed over: nothing more leaves the shelf', async () => {
    const { orderId, itemIds } = await anOrder(fork(), { shipped: false });
    await createShipment(fork(), { orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }] });
    const before = await shelf();
    const items = ['Damaged', 'Unopened'].map((condition) => aProcessedItem(itemIds[0]!, { condition }));
    const { processId } = await aProcess(orm, { orderId, items });

    await settleAlone(processId);

    expect(await shelf()).toBe(before);
    await booksHold();
  });
});
