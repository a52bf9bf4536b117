import { describe, expect, test } from '@jest/globals';
import type { Step } from '../../../activities/returns.ts';
import { verify } from '../../../books/verify/verify.ts';
import { createShipment } from '../../../db/platform/shipments/shipments.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { soldOrder } from '../../../db/returns/sold-order.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { pieces } from '../../../domain/money.ts';
import { isRefused, type Outcome } from '../../../domain/outcome.ts';
import { qtyReturnable } from '../../../domain/returns/eligibility.ts';
import { booksOf } from '../../support/books.ts';
import { anOrder } from '../../support/builders/order.ts';
import {
  aCollapse,
  aCommand,
  aCreation,
  aNotedRequest,
  aPiece,
  aStatusRequest,
  refusedTooLate,
  sealed,
  tooLate,
} from '../../support/builders/return-requests.ts';
import { anItem, aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';
import {
  activities,
  approve,
  aReceived,
  aRequest,
  auditOf,
  commentsOf,
  isLimbo,
  leftAs,
  locationId,
  movementsOf,
  opensACounter,
  orm,
  resolve,
  settle,
  takeIn,
  takeUp,
} from './a-returns-counter.ts';

describe('close return', () => {
  opensACounter();

  const { memosOf, itemsOf, theReturn, fork, shelf, promised, total, change } = booksOf(() => orm);
  const close = (returnId: number) => activities.closeReturn({ returnId, request: aNotedRequest() });
  const cancel = (returnId: number) => activities.cancelRefund({ returnId, request: aNotedRequest() });
  const setShelf = (quantity: number) =>
    change('inventory_source_item', { sku: 'MUG', source_code: 'floor' }, { quantity });

  test('a refund is cancelled once, with one line of audit, and can be settled later', async () => {
    const { returnId, orderId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
    await takeUp(returnId);
    const floor = await shelf();
    const request = aNotedRequest({ comment: 'She wants to think' });

    const answers = await eightAtOnce(() => activities.cancelRefund({ returnId, request }));

    expect(answers.map(leftAs)).toEqual(Array.from({ length: 8 }, () => 'received'));
    expect(await theReturn(returnId, 'status', 'refund_method')).toEqual({ status: 'received', refund_method: null });
    expect(await commentsOf(returnId)).toEqual(['The refund was cancelled; the goods stay.', 'She wants to think']);
    expect(await auditOf(returnId)).toEqual([{ old_value: 'awaiting_refund', new_value: 'received' }]);
    expect(await shelf()).toBe(floor);
    expect(await memosOf(orderId)).toEqual([]);
    expect(leftAs(await takeUp(returnId))).toBe('received');
    expect(leftAs(await settle(returnId, { method: 'terminal' }))).toBe('closed');
  });

  test('a close hands the goods back once, however often and however concurrently it is asked for', async () => {
    const { returnId, orderId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
    const floor = await shelf();
    await takeUp(returnId);
    expect(await shelf()).toBe(floor + 1);

    const answers = await eightAtOnce(() => close(returnId));
    const again = await close(returnId);

    expect([...answers, again].map(leftAs)).toEqual(Array.from({ length: 9 }, () => 'closed'));
    expect(await shelf()).toBe(floor);
    expect(await movementsOf(returnId)).toEqual([
      { kind: 'received', source_code: 'floor', quantity: 1 },
      { kind: 'closed', source_code: 'floor', quantity: 1 },
    ]);
    expect(await auditOf(returnId)).toEqual([{ old_value: 'awaiting_refund', new_value: 'closed' }]);
    expect(await memosOf(orderId)).toEqual([]);
  });

  test('a close takes what is there, never below zero, and says what is missing', async () => {
    const { returnId } = await aReceived();
    const floor = await shelf();
    await setShelf(1);

    expect(leftAs(await close(returnId))).toBe('closed');

    expect(await shelf()).toBe(0);
    expect((await movementsOf(returnId)).at(-1)).toEqual({ kind: 'closed', source_code: 'floor', quantity: 1 });
    expect(await commentsOf(returnId)).toEqual([
      'Closed without a refund.',
      '1 of MUG no longer lay at "floor"; 1 went out.',
    ]);
    await setShelf(floor);
  });

  test('closes raced with sales of the same goods never take a shelf below zero', async () => {
    const returns = await atOnce(4, () => aReceived());
    const orders = await atOnce(4, () =>
      anOrder(fork(), { lines: [{ sku: 'MUG', qty: 2, price: '50' }], shipped: false }),
    );
    const floor = await shelf();
    await setShelf(8);

    await Promise.allSettled([
      ...returns.flatMap(({ returnId }) => [close(returnId), close(returnId)]),
      ...orders.map(({ orderId }) => createShipment(fork(), { orderId })),
    ]);

    const left = await shelf();
    const moves = (await Promise.all(returns.map(({ returnId }) => movementsOf(returnId)))).flat();
    const out = moves.filter(({ kind }) => kind === 'closed').reduce((sum, move) => sum + Number(move['quantity']), 0);
    const shipped = await total('sales_order_item', 'qty_shipped', { order_id: orders.map(({ orderId }) => orderId) });
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBe(8 - out - shipped);
    await setShelf(floor);
  });

  test('goods that were never handed over stay on the shelf, promised to their order again', async () => {
    const asked = await aReceived({ shipped: false });
    const floor = await shelf();

    await close(asked.returnId);

    expect(await shelf()).toBe(floor);
    expect(await promised(asked.orderId)).toBe(-2);
    await createShipment(fork(), { orderId: asked.orderId });
    expect(await shelf()).toBe(floor - 2);
  });

  test('a settle, a resolution, a cancel and a close at once end a return one way: paid back or handed back, never both', async () => {
    for (let round = 0; round < 4; round++) {
      const { returnId, orderId, itemId } = await aReceived();
      const floor = await shelf();

      await Promise.all([
        close(returnId),
        settle(returnId),
        resolve(returnId, itemId, 'refund', 'cash'),
        cancel(returnId),
        close(returnId),
        settle(returnId, { method: 'terminal' }),
      ]);

      const paidBack = (await memosOf(orderId)).length;
      const handedBack = (await movementsOf(returnId)).filter(({ kind }) => kind === 'closed').length;
      expect(paidBack + handedBack).toBe(1);
      expect(await shelf()).toBe(floor - 2 * handedBack);
    }
  });

  test('goods that were handed back and come in again another day are on the shelf again', async () => {
    const sold = await anOrder(fork(), {});
    const anotherDay = async () => {
      const { returnId } = await createReturn(orm.em, {
        orderId: sold.orderId,
        customerId: null,
        locationId,
        items: [{ ...anItem(sold.itemIds[0]!), qtyRequested: pieces(2) }],
        comment: null,
        isAutoApproved: true,
        refundMethod: 'cash',
        posSaleId: null,
      });
      await takeUp(returnId);
      return returnId;
    };
    const floor = await shelf();

    await close(await anotherDay());
    expect(await shelf()).toBe(floor);
    await anotherDay();
    expect(await shelf()).toBe(floor + 2);
  });

  test('a creation that cannot be finished can be closed, and is not tried again', async () => {
    const { returnId } = await aReturn(orm, { locationId });

    expect(leftAs(await close(returnId))).toBe('closed');

    expect(await theReturn(returnId, 'is_ready')).toEqual({ is_ready: true });
    expect(leftAs(await takeUp(returnId))).toBe('closed');
  });

  test.each(['started', 'uncertain'] as const)(
    'while an attempt is %s nothing is cancelled or closed',
    async (state) => {
      const { returnId } = await aRefundAttempt(orm, { locationId, state });
      const [line] = await itemsOf(returnId, 'entity_id');
      const conflict = { refused: { status: 409, parameters: { outcome: 'gateway_uncertain', return_id: returnId } } };

      expect(await cancel(returnId)).toMatchObject(conflict);
      expect(await close(returnId)).toMatchObject(conflict);
      expect(await resolve(returnId, Number(line!['entity_id']), 'refund', 'cash')).toMatchObject(conflict);
      expect(await auditOf(returnId)).toEqual([]);
    },
  );

  test('after all of that the books balance', async () => {
    expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => !isLimbo(id))).toEqual([]);
  });
});

describe('create return', () => {
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
      expect(await itemsOf(collapse.returnId, 'reason', 'condition')).toEqual([
        { reason: 'Size', condition: 'Damaged' },
      ]);
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
});

describe('return verbs', () => {
  opensACounter();

  const { memosOf, itemsOf, attemptsOf, wordsOf, theReturn, fork } = booksOf(() => orm);

  test('an approval with a word is carried out once, however often and however concurrently it is asked for', async () => {
    const { returnId } = await aRequest();
    const wanted = { returnId, request: aStatusRequest('approved', { comment: 'Fine by me' }) };

    const answers = await eightAtOnce(() => activities.setReturnStatus(wanted));
    const again = await activities.setReturnStatus(wanted);

    expect([...answers, again].map(leftAs)).toEqual(Array.from({ length: 9 }, () => 'approved'));
    expect(await wordsOf(returnId, 'comment', 'author')).toEqual([{ comment: 'Fine by me', author: 'Front register' }]);
    expect(await auditOf(returnId)).toEqual([{ old_value: 'pending', new_value: 'approved' }]);
  });

  test('an authorisation grants the quantities, an approval approves them', async () => {
    const { returnId } = await aRequest();
    const granted = () => itemsOf(returnId, 'qty_authorized', 'qty_approved');

    await activities.setReturnStatus({ returnId, request: aStatusRequest('authorized') });
    expect(await granted()).toEqual([{ qty_authorized: '2.0000', qty_approved: null }]);
    await approve(returnId);
    expect(await granted()).toEqual([{ qty_authorized: '2.0000', qty_approved: '2.0000' }]);
  });

  test('a creation that is not finished may be refused, not taken over', async () => {
    const { returnId } = await aReturn(orm, { locationId });

    expect(await approve(returnId)).toMatchObject({
      refused: { status: 409, parameters: { outcome: 'return_not_ready', return_id: returnId } },
    });
    expect(leftAs(await activities.setReturnStatus({ returnId, request: aStatusRequest('denied') }))).toBe('denied');
    expect(await takeUp(returnId)).toMatchObject({ now: { status: 'denied', isReady: true } });
  });

  test('a resolution in cash books one memo, however often and however concurrently it is asked for', async () => {
    const { returnId, orderId, itemId } = await aReceived();

    const answers = await eightAtOnce(() => resolve(returnId, itemId, 'refund', 'cash'));
    const again = await resolve(returnId, itemId, 'refund', 'cash');

    for (const answer of [...answers, again]) expect(leftAs(answer)).toBe('resolved');
    expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: '108.0000' }]);
    expect((await commentsOf(returnId))[0]).toBe('Resolved: MUG Refund by cash.');
    expect((await auditOf(returnId)).at(-1)).toEqual({ old_value: 'items_received', new_value: 'resolved' });
  });

  test('a resolution through the gateway opens one attempt, and resolves the return when it is booked', async () => {
    const { returnId, orderId, itemId } = await aReceived();

    const request = {
      ...aCommand(),
      resolutions: [{ rmaItemId: itemId, mode: 'refund' as const, refundMethod: 'original_payment' as const }],
    };
    const answers = await eightAtOnce(() => activities.resolveReturn({ returnId, request }));

    const attempts = await attemptsOf(returnId, 'attempt_id', 'amount');
    expect(attempts).toHaveLength(1);
    const attemptId = Number(attempts[0]!['attempt_id']);
    for (const answer of answers)
      expect(answer).toMatchObject({
        now: { status: 'awaiting_refund', attemptId },
        attempt: { attemptId, isClaimed: false, endsAs: 'resolved' },
      });

    await recordFinding(orm.em, {
      attemptId,
      finding: { evidence: 'refunded', gatewayReference: 'gw-7' },
      now: new Date(),
    });
    expect(await theReturn(returnId, 'status', 'refund_method')).toEqual({
      status: 'resolved',
      refund_method: 'original_payment',
    });
    expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: '108.0000' }]);
  });

  test('a gateway that refuses leaves the return parked with its resolutions, and cash resolves it then', async () => {
    const { returnId, orderId, itemId } = await aReceived();
    const opened = await resolve(returnId, itemId, 'refund', 'original_payment');
    const attemptId = isRefused(opened) ? 0 : opened.attempt!.attemptId;
    const finding = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' } as const;
    await recordFinding(orm.em, { attemptId, finding, now: new Date() });

    expect(leftAs(await settle(returnId))).toBe('resolved');
    expect(await memosOf(orderId)).toHaveLength(1);
  });

  test('a refund without a method resolves the return and gives nothing back, and says so', async () => {
    const { returnId, orderId, itemId } = await aReceived();

    expect(leftAs(await resolve(returnId, itemId, 'refund', null))).toBe('resolved');

    expect(await memosOf(orderId)).toEqual([]);
    expect(await commentsOf(returnId)).toEqual(['Resolved: MUG Refund, no money moves.']);
  });

  test.each([
    ['refund', 'requested', true],
    ['store_credit', 'requested', true],
    ['exchange', 'requested', false],
    ['refund', 'taken in', false],
  ] as const)(
    'goods resolved as %s without money when they were %s can come back another day: %s',
    async (mode, stage, canComeBack) => {
      const { returnId, orderId, itemId } = stage === 'requested' ? await aRequest() : await aReceived();

      expect(leftAs(await resolve(returnId, itemId, mode, null))).toBe('resolved');

      const { lines } = await soldOrder(fork(), orderId);
      expect(lines.map(qtyReturnable)).toEqual([pieces(canComeBack ? 2 : 0)]);
      if (!canComeBack) return;
      const again = await createReturn(orm.em, {
        orderId,
        customerId: null,
        locationId: null,
        items: [{ ...anItem(lines[0]!.orderItemId), qtyRequested: pieces(2) }],
        comment: null,
        isAutoApproved: false,
        refundMethod: null,
        posSaleId: null,
      });
      expect(again.isReused).toBe(false);
    },
  );

  test('a resolution that is refused leaves nothing behind', async () => {
    const { returnId, orderId, itemId } = await aRequest();

    expect(await resolve(returnId, itemId, 'refund', 'cash')).toMatchObject({ refused: { status: 400 } });

    expect(await itemsOf(returnId, 'resolution', 'resolution_mode')).toEqual([
      { resolution: 'Refund', resolution_mode: null },
    ]);
    expect(await commentsOf(returnId)).toEqual([]);
    expect(await memosOf(orderId)).toEqual([]);
  });

  test('an unknown return is a refusal of every verb', async () => {
    const returnId = 999_999;
    const answers = [
      await approve(returnId),
      await activities.cancelRefund({ returnId, request: aNotedRequest() }),
      await activities.closeReturn({ returnId, request: aNotedRequest() }),
      await activities.readReturn({ returnId }),
      await takeUp(returnId),
      await takeIn({ returnId, itemId: 1 }),
      await resolve(returnId, 1, 'repair', null),
      await settle(returnId),
      await settle(returnId, { method: 'original_payment' }),
      await activities.openFastTrack({ returnId, request: { ...aCommand(), resolution: 'refund', isOnline: false } }),
    ];
    expect(answers).toEqual(answers.map(() => ({ refused: expect.objectContaining({ status: 404 }) })));
  });

  test('after all of that the books balance', async () => {
    expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => !isLimbo(id))).toEqual([]);
  });
});
