import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verify } from '../../../books/verify/verify.ts';
import { giveBackWithMemo } from '../../../db/credits/give-credits-back.ts';
import { giveBackOnCancel } from '../../../db/credits/give-back-on-cancel.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { createInvoice } from '../../../db/platform/invoices/invoices.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { findRefundAttempt } from '../../../db/refunds/refund-attempt.repository.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { findReturn } from '../../../db/returns/return.repository.ts';
import { startGatewaySettlement } from '../../../db/returns/settle-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { amount, money, toWire, zero, pieces } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { booksOf } from '../../support/books.ts';
import {
  aCustomerWithCredit,
  aGiftCard,
  cardBalance,
  pointsOf,
  reserveStoreCredit,
  walletOf,
  withPoints,
} from '../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce, outcomesAtOnce } from '../../support/rivals.ts';
import {
  andTheOther,
  anOrderOnCredit,
  aParkedReturn,
  leg,
  locationId,
  opensAShopWithCredit,
  orm,
  reachable,
  settle,
  storeCredit,
} from './orders-on-credit.ts';

describe('credit beside a gateway', () => {
  opensAShopWithCredit();

  const { creditsOf, attemptsOf, theOrder, fork, change } = booksOf(() => orm);

  const attemptOf = async (returnId: number) =>
    (await attemptsOf(returnId, 'attempt_id', 'amount', 'credited', 'state')).at(-1)!;

  describe('a refund through the gateway', () => {
    const book = (attemptId: number, reference: string) =>
      recordFinding(orm.em, {
        attemptId,
        finding: { evidence: 'refunded', gatewayReference: reference },
        now: new Date(),
      });

    test('asks for the handback only, and gives the credit back with the memo', async () => {
      const { customerId, order } = await anOrderOnCredit(40);
      const { returnId, orderId } = await aParkedReturn(order, 'original_payment');
      const { attempt_id: attemptId, ...attempt } = await attemptOf(returnId);
      expect(attempt).toEqual({ amount: '34.0000', credited: '20.0000', state: 'started' });
      expect(await walletOf(orm, customerId)).toBe('0.0000');
      expect(await theOrder(orderId, 'base_pending_refund')).toEqual({ base_pending_refund: '54.0000' });
      // Never captured: a gateway must not be told that the credit was.
      expect((await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 }))?.capturedAmount).toBe(money('68'));

      await eightAtOnce(() => book(attemptId, `ref-${attemptId}`));

      expect(await walletOf(orm, customerId)).toBe('20.0000');
      expect(await findRefundAttempt(fork(), attemptId)).toMatchObject({
        state: 'booked',
        baseAmount: 34,
        amount: 34,
      });
      expect(await findReturn(fork(), returnId)).toMatchObject({
        status: 'closed',
        refundMethod: 'original_payment',
        baseRefundTotal: 54,
        baseHandback: 34,
        refundLegs: [{ amount: money('20') }],
      });
    });

    test('goes out once: no credit is given for what the gateway gave back', async () => {
      const { customerId, order } = await anOrderOnCredit(40);
      const { returnId, orderId } = await aParkedReturn(order, 'original_payment');
      const { attempt_id: attemptId } = await attemptOf(returnId);
      await book(attemptId, `ref-${attemptId}`);
      const asCredit = reserveStoreCredit(orm, { orderId, customerId, amount: money('1') });
      await expect(asCredit).rejects.toMatchObject({ status: 400, parameters: ['1', '0'] });
    });

    test('that is refused by the gateway frees the credit it had kept', async () => {
      const { customerId, order } = await anOrderOnCredit(40);
      const { returnId, orderId } = await aParkedReturn(order, 'original_payment');
      const { attempt_id: attemptId } = await attemptOf(returnId);
      await recordFinding(orm.em, {
        attemptId,
        finding: { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' },
        now: new Date(),
      });
      expect(await creditsOf(orderId, 'base_reserved', 'amount_reserved')).toEqual([
        { base_reserved: '0.0000', amount_reserved: '0.0000' },
      ]);
      await change('sale_return', { return_id: returnId }, { is_ready: true });
      await settle(returnId);
      expect(await walletOf(orm, customerId)).toBe('20.0000');
    });

    test('that stays uncertain keeps its legs from every other refund of the order', async () => {
      const { customerId, order } = await anOrderOnCredit(40);
      const first = await aParkedReturn(order, 'original_payment');
      const { attempt_id: attemptId } = await attemptOf(first.returnId);
      const preview = await previewRefund(fork(), {
        orderId: first.orderId,
        items: [{ orderItemId: first.orderItemId, qty: pieces(1) }],
        options: plainSettlement,
      });
      expect(preview).toMatchObject({ handback: { base: money('34') }, returnableMax: { base: money('54') } });

      const second = await andTheOther(first, 'cash');
      await settle(second);
      expect(await walletOf(orm, customerId)).toBe('20.0000');
      await book(attemptId, `late-${attemptId}`);
      expect(await walletOf(orm, customerId)).toBe('40.0000');
      const found = await findReturn(fork(), first.returnId);
      expect(found).toMatchObject({ baseHandback: 34, refundLegs: [{ amount: money('20') }] });
    });

    test('of two at once on one order each has its own legs', async () => {
      const { customerId, order } = await anOrderOnCredit(40.01);
      const first = await aParkedReturn(order, 'cash');
      const second = await andTheOther(first, 'cash');
      const open = (returnId: number) =>
        startGatewaySettlement(orm.em, {
          ...{ returnId, options: plainSettlement, canRefundThrough: reachable },
          operationKey: `settle-${returnId}`,
        });
      await Promise.all([open(first.returnId), open(second), open(first.returnId), open(second)]);
      const attempts = [await attemptOf(first.returnId), await attemptOf(second)];
      expect(attempts.map(({ amount: asked }) => Number(asked)).reduce((sum, asked) => sum + asked, 0)).toBeCloseTo(
        67.99,
        4,
      );
      await Promise.all(attempts.map(({ attempt_id: attemptId }) => book(attemptId, `two-${attemptId}`)));
      expect(await walletOf(orm, customerId)).toBe('40.0100');
    });

    test('says how the credit differs from what the register was shown', async () => {
      const { order } = await anOrderOnCredit(40);
      const { returnId } = await aParkedReturn(order, 'cash');
      const options = plainSettlement;
      await startGatewaySettlement(orm.em, {
        returnId,
        options,
        canRefundThrough: reachable,
        expectedLegs: [leg('1')],
      });
      const { attempt_id: attemptId } = await attemptOf(returnId);
      await book(attemptId, `differs-${attemptId}`);
      expect(await findReturn(fork(), returnId)).toMatchObject({
        refundDifference: 'The credit given back differs from the preview (store_credit: expected 1, booked 20).',
      });
    });

    describe('of an order that credit paid whole', () => {
      const noGateway = () => false;

      test('asks no gateway: the memo is booked at once, without an attempt', async () => {
        const { customerId, order } = await anOrderOnCredit(108);
        const { returnId } = await aReturn(orm, { locationId, refundMethod: 'original_payment', order });
        const begin = () => initialiseReturn(orm.em, { returnId, canRefundThrough: noGateway });
        const answers = await eightAtOnce(begin);
        expect(answers.filter(({ attempt }) => attempt)).toEqual([]);
        expect(await begin()).toMatchObject({ status: 'closed', isReady: true });
        expect(await findReturn(fork(), returnId)).toMatchObject({
          refundMethod: 'original_payment',
          attemptId: null,
          baseRefundTotal: 54,
          baseHandback: 0,
        });
        expect(await walletOf(orm, customerId)).toBe('54.0000');
      });

      test('a settle of a parked return does the same', async () => {
        const { customerId, order } = await anOrderOnCredit(108);
        const { returnId } = await aParkedReturn(order, 'cash');
        const asked = { returnId, options: plainSettlement, canRefundThrough: noGateway };
        expect(await startGatewaySettlement(orm.em, asked)).toEqual({ status: 'closed' });
        expect(await startGatewaySettlement(orm.em, asked)).toEqual({ status: 'closed' });
        expect(await walletOf(orm, customerId)).toBe('54.0000');
      });

      test('a store that cannot take it back leaves the return parked, its goods in, and says why', async () => {
        const { customerId, order } = await anOrderOnCredit(108);
        const { returnId } = await aReturn(orm, { locationId, refundMethod: 'original_payment', order });
        await change('website', { website_id: 1 }, { base_currency_code: 'SEK' });
        const answer = await initialiseReturn(orm.em, { returnId, canRefundThrough: noGateway });
        await change('website', { website_id: 1 }, { base_currency_code: 'USD' });
        expect(answer).toMatchObject({ status: 'awaiting_refund', isReady: true, refused: { status: 400 } });
        expect(await walletOf(orm, customerId)).toBe('0.0000');
        await settle(returnId);
        expect(await walletOf(orm, customerId)).toBe('54.0000');
      });
    });
  });
});

describe('give back on cancel', () => {
  let orm: MikroORM;
  let locationId: number;
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(orm.em.fork()));
  });
  afterAll(async () => {
    expect(await verify(orm.em.fork())).toEqual([]);
    await orm.close();
  });

  /** So many mugs at 50, each 10 cheaper for 1 000 points: nothing invoiced, nothing handed over. */
  async function mugsForPoints(qty: number) {
    const customerId = await aCustomerWithCredit(orm, '1');
    await withPoints(orm, customerId, qty * 1_000);
    const points = { credit_type: 'reward_points', points: qty * 1_000, amount: qty * 10, applies_as: 'discount' };
    const { orderId, itemIds } = await anOrder(orm.em.fork(), {
      customerId,
      method: 'provider_a',
      lastTransId: 'pay_1',
      paid: false,
      shipped: false,
      lines: [{ sku: 'MUG', qty, price: '50', discount: String(qty * 10) }],
      credits: [points],
    });
    return { customerId, orderId, orderItemId: itemIds[0]! };
  }

  /** The whole order waits for its refund: what became of it decides what is left to cancel. */
  const refusedBeside = (attemptId: number) => ({ status: 400, parameters: { refund_attempt_id: attemptId } });

  type Mugs = Awaited<ReturnType<typeof mugsForPoints>>;

  const some = ({ orderItemId }: Mugs, qty: number) => [{ orderItemId, qty: pieces(qty) }];
  const pointsBack = async ({ customerId }: Mugs) => (await pointsOf(orm, customerId)) ?? 0;
  const invoice = (mugs: Mugs, qty: number) => createInvoice(orm.em, { orderId: mugs.orderId, items: some(mugs, qty) });
  const cancel = ({ orderId }: Mugs) => cancelOrder(orm.em, orderId, [giveBackOnCancel()]);
  const refund = (mugs: Mugs, qty: number) =>
    refundOrder(orm.em, {
      orderId: mugs.orderId,
      items: some(mugs, qty),
      adjustmentPositive: zero,
      adjustmentNegative: zero,
      returnToStockItemIds: [],
      hooks: [giveBackWithMemo()],
    });

  describe('points that were a discount, of an order that is cancelled in part', () => {
    test('come back at once for what is cancelled, and once only; those of the goods that are kept stay spent', async () => {
      const mugs = await mugsForPoints(3);
      await invoice(mugs, 1);
      await eightAtOnce(() => cancel(mugs));
      expect(await pointsBack(mugs)).toBe(2_000);
    });

    type Event = ['invoice' | 'refund' | 'cancel', number?];
    test.each<[string, number, Event[], number[]]>([
      ['first cancelled, then refunded', 2, [['invoice', 1], ['cancel'], ['refund', 1]], [0, 1_000, 2_000]],
      ['first refunded, then cancelled', 2, [['invoice', 1], ['refund', 1], ['cancel']], [0, 1_000, 2_000]],
      [
        'refunded by two memos around the cancellation',
        4,
        [['invoice', 2], ['refund', 1], ['cancel'], ['refund', 1]],
        [0, 1_000, 3_000, 4_000],
      ],
      [
        'refunded by two memos after it',
        4,
        [['invoice', 1], ['invoice', 1], ['cancel'], ['refund', 1], ['refund', 1]],
        [0, 0, 2_000, 3_000, 4_000],
      ],
      ['never invoiced', 2, [['cancel']], [2_000]],
    ])('are all back, whatever comes first: %s', async (_case, qty, events, expected) => {
      const mugs = await mugsForPoints(qty);
      const back: number[] = [];
      for (const [event, count = 0] of events) {
        if (event === 'invoice') await invoice(mugs, count);
        if (event === 'refund') await refund(mugs, count);
        if (event === 'cancel') expect(await cancel(mugs)).toBe(true);
        back.push(await pointsBack(mugs));
      }
      expect(back).toEqual(expected);
    });

    test('are shown by a preview as the refund of the rest will give them back', async () => {
      const mugs = await mugsForPoints(2);
      await invoice(mugs, 1);
      await cancel(mugs);
      const { legs } = await previewRefund(orm.em.fork(), {
        orderId: mugs.orderId,
        items: some(mugs, 1),
        options: plainSettlement,
      });
      expect(legs).toMatchObject([{ kind: 'reward_points', points: 1_000 }]);
    });

    /** A return of one mug whose refund the gateway was asked for. */
    async function aRefundUnderWay({ orderId, orderItemId }: Mugs): Promise<number> {
      const { returnId } = await createReturn(orm.em, {
        orderId,
        customerId: null,
        locationId,
        items: [anItem(orderItemId)],
        comment: null,
        isAutoApproved: true,
        refundMethod: 'original_payment',
        posSaleId: null,
      });
      const { attempt } = await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
      return attempt!.attemptId;
    }

    test('are not taken from a refund under way, which gives back its own', async () => {
      const mugs = await mugsForPoints(3);
      await invoice(mugs, 1);
      const attemptId = await aRefundUnderWay(mugs);
      await expect(cancel(mugs)).rejects.toMatchObject(refusedBeside(attemptId));
      expect(await pointsBack(mugs)).toBe(0);
      const finding = { evidence: 'refunded', gatewayReference: `ref-${attemptId}` } as const;
      await recordFinding(orm.em, { attemptId, finding, now: new Date() });
      expect(await pointsBack(mugs)).toBe(1_000);
      await cancel(mugs);
      expect(await pointsBack(mugs)).toBe(3_000);
    });

    test('are all back when the gateway refuses and the goods are refunded by hand', async () => {
      const mugs = await mugsForPoints(3);
      await invoice(mugs, 1);
      const attemptId = await aRefundUnderWay(mugs);
      await expect(cancel(mugs)).rejects.toMatchObject(refusedBeside(attemptId));
      const finding = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' } as const;
      await recordFinding(orm.em, { attemptId, finding, now: new Date() });
      await cancel(mugs);
      expect(await pointsBack(mugs)).toBe(2_000);
      await refund(mugs, 1);
      expect(await pointsBack(mugs)).toBe(3_000);
    });
  });
});

describe('refund credits', () => {
  opensAShopWithCredit();

  const { commentsOf, creditsOf, fork, creditReturnsOf, storyOf } = booksOf(() => orm);

  const legsOf = async (orderId: number) => {
    const kinds = new Map((await creditsOf(orderId)).map((credit) => [credit['credit_id'], credit['kind']]));
    const legs = await creditReturnsOf(orderId, 'credit_id', 'base_amount', 'amount', 'points', 'state');
    return legs.map(({ credit_id: creditId, ...leg }) => ({ kind: kinds.get(creditId), ...leg }));
  };

  describe('a return settled in cash', () => {
    test('gives its share of the credit back to the wallet, and the rest in cash', async () => {
      const { customerId, order } = await anOrderOnCredit(40);
      const { returnId, orderId } = await aParkedReturn(order);
      await settle(returnId);

      expect(await findReturn(fork(), returnId)).toMatchObject({
        status: 'closed',
        refundLegs: [{ kind: 'store_credit', providerCode: 'store_credit', appliesAs: 'tender', amount: money('20') }],
        baseRefundTotal: 54,
        baseHandback: 34,
        refundDifference: null,
      });
      expect(await walletOf(orm, customerId)).toBe('20.0000');
      expect(await legsOf(orderId)).toEqual([
        { kind: 'store_credit', base_amount: '20.0000', amount: '20.0000', points: null, state: 'booked' },
      ]);
      expect((await storyOf(orderId)).find((comment) => comment.startsWith('Gave back'))).toBe(
        'Gave back $20.00 to store credit.',
      );
    });

    test('settled eight times at once gives back once', async () => {
      const { customerId, order } = await anOrderOnCredit(40);
      const { returnId, orderId } = await aParkedReturn(order);
      await eightAtOnce(() => settle(returnId));
      expect(await walletOf(orm, customerId)).toBe('20.0000');
      expect(await legsOf(orderId)).toHaveLength(1);
    });

    test('two returns of one order at once give all of it back, and not more', async () => {
      const { customerId, order } = await anOrderOnCredit(40.01);
      const first = await aParkedReturn(order);
      const second = await andTheOther(first, 'cash');
      await Promise.all([settle(first.returnId), settle(second), settle(first.returnId), settle(second)]);
      expect(await walletOf(orm, customerId)).toBe('40.0100');
    });

    test('what differs from what the register was shown is said', async () => {
      const { order } = await anOrderOnCredit(40);
      const same = await aParkedReturn(order);
      await settle(same.returnId, [leg('20')]);
      expect(await findReturn(fork(), same.returnId)).toMatchObject({ refundDifference: null });

      const other = await aParkedReturn((await anOrderOnCredit(40)).order);
      await settle(other.returnId, [leg('15')]);
      const { refundDifference, comments } = await findReturn(fork(), other.returnId);
      expect(refundDifference).toBe(
        'The credit given back differs from the preview (store_credit: expected 15, booked 20).',
      );
      expect(comments.map(({ comment }) => comment)).toContain(refundDifference);
    });

    test('in another currency every credit gets its own, and both currencies come out even', async () => {
      const customerId = await aCustomerWithCredit(orm, '100');
      const order = { customerId, currency: 'CAD', rate: '1.36', storeId: 2, credits: [storeCredit(50.01)] };
      const first = await aParkedReturn(order);
      const second = await andTheOther(first, 'cash');
      await settle(first.returnId);
      await settle(second);
      expect(await walletOf(orm, customerId)).toBe('100.0000');
      const [credit] = await creditsOf(first.orderId);
      expect(credit).toMatchObject({ amount_returned: credit!['amount'], base_returned: credit!['base_amount'] });
    });
  });

  describe('points that were a discount', () => {
    test('come back with the goods, as points; the money is handed back in full', async () => {
      const customerId = await aCustomerWithCredit(orm, '1');
      await withPoints(orm, customerId, 1_001);
      const points = { credit_type: 'reward_points', points: 1_001, amount: 10.01, applies_as: 'discount' };
      const order: WantedOrder = {
        customerId,
        lines: [{ sku: 'MUG', qty: 2, price: '50', tax: '8', discount: '10.01' }],
        credits: [points],
      };
      const first = await aParkedReturn(order);
      await settle(first.returnId);
      expect(await pointsOf(orm, customerId)).toBe(500);
      expect(await findReturn(fork(), first.returnId)).toMatchObject({
        refundLegs: [{ kind: 'reward_points', appliesAs: 'discount', points: 500 }],
        baseRefundTotal: 49,
        baseHandback: 49,
      });
      await settle(await andTheOther(first, 'cash'));
      expect(await pointsOf(orm, customerId)).toBe(1_001);
    });
  });

  test('goods that points paid for wholly are settled by their original payment without asking a gateway', async () => {
    const customerId = await aCustomerWithCredit(orm, '1');
    await withPoints(orm, customerId, 10_000);
    const points = { credit_type: 'reward_points', points: 10_000, amount: 100, applies_as: 'discount' };
    const lines = [{ sku: 'MUG', qty: 2, price: '50', discount: '100' }];
    const rma = await aParkedReturn({ customerId, method: 'provider_a', lines, credits: [points] }, 'original_payment');
    expect(await pointsOf(orm, customerId)).toBe(5_000);
    expect(await findReturn(fork(), rma.returnId)).toMatchObject({
      status: 'closed',
      attemptId: null,
      baseRefundTotal: 0,
      refundLegs: [{ kind: 'reward_points', points: 5_000 }],
    });
  });

  test('an order that is cancelled in part keeps its credit, and its history asks to give back what is too much', async () => {
    const { order } = await anOrderOnCredit(108, { paid: false, shipped: false });
    const { orderId, itemIds } = await anOrder(fork(), order);
    await createInvoice(orm.em, { orderId, items: itemIds.map((orderItemId) => ({ orderItemId, qty: pieces(1) })) });
    expect(await cancelOrder(orm.em, orderId, [giveBackOnCancel()])).toBe(true);
    const comments = await commentsOf(orderId, 'comment');
    expect(comments.map(({ comment }) => comment)).toContainEqual(
      expect.stringMatching(/^Cancelled in part: \$54\.00 was paid for what is not sold any more\./),
    );
  });

  describe('the platform’s own routes', () => {
    const refundAll = (orderId: number) =>
      refundOrder(orm.em, {
        orderId,
        items: [],
        adjustmentPositive: zero,
        adjustmentNegative: zero,
        returnToStockItemIds: [],
        hooks: [giveBackWithMemo()],
      });

    test('a refund by hand gives the credit back, to every store', async () => {
      const customerId = await aCustomerWithCredit(orm, '20');
      const code = await aGiftCard(orm, '30');
      const { orderId } = await anOrder(orm.em, {
        customerId,
        credits: [storeCredit(20), { credit_type: 'gift_card', code, amount: 30 }],
      });
      const { done } = await outcomesAtOnce(4, () => refundAll(orderId));
      expect(done).toHaveLength(1);
      expect([await walletOf(orm, customerId), await cardBalance(orm, code)]).toEqual(['20.0000', '30.0000']);
    });

    test('a cancelled order gives all of it back, once', async () => {
      const customerId = await aCustomerWithCredit(orm, '20');
      await withPoints(orm, customerId, 300);
      const points = { credit_type: 'reward_points', points: 300, amount: 3, applies_as: 'discount' };
      const { orderId } = await anOrder(orm.em, {
        customerId,
        paid: false,
        shipped: false,
        credits: [storeCredit(20), points],
      });
      await eightAtOnce(() => cancelOrder(orm.em, orderId, [giveBackOnCancel()]));
      expect([await walletOf(orm, customerId), await pointsOf(orm, customerId)]).toEqual(['20.0000', 300]);
      expect(await legsOf(orderId)).toHaveLength(2);
    });

    test('an order that lives on keeps its credit as a payment', async () => {
      const { customerId, order } = await anOrderOnCredit(60);
      const { orderId, itemIds } = await anOrder(orm.em, { ...order, paid: false, shipped: false });
      await createInvoice(orm.em, { orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }] });
      await cancelOrder(orm.em, orderId, [giveBackOnCancel()]);
      expect(await walletOf(orm, customerId)).toBe('0.0000');
      await refundAll(orderId);
      expect(await walletOf(orm, customerId)).toBe('54.0000');
    });
  });

  test('a preview says what a settlement will do, line by line', async () => {
    const customerId = await aCustomerWithCredit(orm, '54');
    const { orderId, itemIds } = await anOrder(orm.em, {
      customerId,
      shipping: '8',
      credits: [storeCredit(54)],
      lines: [
        { sku: 'MUG', qty: 2, price: '25' },
        { sku: 'PLATE', qty: 1, price: '50' },
      ],
    });
    const preview = await previewRefund(fork(), {
      orderId,
      items: [
        { orderItemId: itemIds[0]!, qty: pieces(2) },
        { orderItemId: itemIds[1]!, qty: pieces(1) },
      ],
      options: plainSettlement,
    });
    expect(preview).toMatchObject({
      refund: { order: money('108') },
      handback: { order: money('54') },
      legs: [{ amount: money('54') }],
    });
    expect(preview.lines.map(({ baseCreditShare }) => toWire(baseCreditShare))).toEqual([25, 25]);
    expect(amount(preview.returnableMax.base)).toBe(money('108'));
  });
});
