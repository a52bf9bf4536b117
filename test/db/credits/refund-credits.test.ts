import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { giveBackWithMemo } from '../../../db/credits/book-memo-with-credits.ts';
import { giveBackOnCancel } from '../../../db/credits/give-back-on-cancel.ts';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { reserveCreditRefund } from '../../../db/credits/reserve-credit-refund.ts';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { findRefundAttempt } from '../../../db/refunds/refund-attempt.repository.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { findReturn } from '../../../db/returns/return.repository.ts';
import { startGatewaySettlement } from '../../../db/returns/start-gateway-settlement.ts';
import { verify } from '../../../books/verify/verify.ts';
import { amount, money, toWire, zero } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement, type RefundLeg } from '../../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../../domain/returns/refund-method.ts';
import {
  aCustomerWithCredit,
  aGiftCard,
  cardBalance,
  pointsOf,
  walletOf,
  withPoints,
} from '../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';

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

const rows = <Row extends object>(sql: string, parameters: unknown[] = []) =>
  orm.em.fork().execute<Row[]>(sql, parameters);
const storeCredit = (amount: number) => ({ credit_type: 'store_credit', amount });
const reachable = () => true;

/** Two mugs for 108, paid with so much store credit and the rest otherwise. */
async function anOrderOnCredit(credit: number, more: WantedOrder = {}) {
  const customerId = await aCustomerWithCredit(orm, credit.toFixed(2));
  return { customerId, order: { customerId, credits: [storeCredit(credit)], ...more } };
}

/** A parked return of one mug of such an order. */
async function aParkedReturn(order: WantedOrder, refundMethod: SettleMethod = 'cash') {
  const rma = await aReturn(orm, { locationId, refundMethod, order });
  await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: reachable });
  return rma;
}

/** A second return of the other mug. */
async function andTheOther(
  { orderId, orderItemId }: { orderId: number; orderItemId: number },
  refundMethod: SettleMethod,
) {
  const { returnId } = await createReturn(orm.em, {
    orderId,
    customerId: null,
    locationId,
    items: [anItem(orderItemId)],
    comment: null,
    isAutoApproved: true,
    refundMethod,
    posSaleId: null,
  });
  await initialiseReturn(orm.em, { returnId, canRefundThrough: reachable });
  return returnId;
}

const settle = (returnId: number, expectedLegs?: RefundLeg[]) =>
  bookSettlement(orm.em, {
    returnId,
    method: 'cash',
    options: plainSettlement,
    requestId: `r-${returnId}`,
    ...(expectedLegs === undefined ? {} : { expectedLegs }),
  });

const attemptOf = async (returnId: number) =>
  (
    await rows<{ attempt_id: number; amount: string; credited: string; state: string }>(
      'select attempt_id, amount, credited, state from refund_attempt where return_id = ? order by attempt_id desc',
      [returnId],
    )
  )[0]!;

const legsOf = (orderId: number) =>
  rows(
    `select c.kind, r.base_amount, r.amount, r.points, r.state from order_credit_return r
     join order_credit c on c.credit_id = r.credit_id where c.order_id = ? order by r.credit_return_id`,
    [orderId],
  );

const leg = (value: string, over: Partial<RefundLeg> = {}): RefundLeg => ({
  kind: 'store_credit',
  providerCode: 'store_credit',
  baseAmount: money(value),
  amount: money(value),
  ...over,
});

describe('a return settled in cash', () => {
  test('gives its share of the credit back to the wallet, and the rest in cash', async () => {
    const { customerId, order } = await anOrderOnCredit(40);
    const { returnId, orderId } = await aParkedReturn(order);
    await settle(returnId);

    expect(await findReturn(orm.em.fork(), returnId)).toMatchObject({
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
    const [comment] = await rows(
      'select comment from sales_order_status_history where parent_id = ? and comment like ?',
      [orderId, 'Gave back%'],
    );
    expect(comment).toEqual({ comment: 'Gave back $20.00 to store credit.' });
  });

  test('settled eight times at once gives back once', async () => {
    const { customerId, order } = await anOrderOnCredit(40);
    const { returnId, orderId } = await aParkedReturn(order);
    await Promise.all(Array.from({ length: 8 }, () => settle(returnId)));
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
    expect(await findReturn(orm.em.fork(), same.returnId)).toMatchObject({ refundDifference: null });

    const other = await aParkedReturn((await anOrderOnCredit(40)).order);
    await settle(other.returnId, [leg('15')]);
    const { refundDifference, comments } = await findReturn(orm.em.fork(), other.returnId);
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
    const [sums] = await rows(
      'select amount - amount_returned as rest, base_amount - base_returned as base_rest from order_credit where order_id = ?',
      [first.orderId],
    );
    expect(sums).toEqual({ rest: '0.0000', base_rest: '0.0000' });
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
    expect(await findReturn(orm.em.fork(), first.returnId)).toMatchObject({
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
  expect(await findReturn(orm.em.fork(), rma.returnId)).toMatchObject({
    status: 'closed',
    attemptId: null,
    baseRefundTotal: 0,
    refundLegs: [{ kind: 'reward_points', points: 5_000 }],
  });
});

test('an order that is cancelled in part keeps its credit, and its history asks to give back what is too much', async () => {
  const { order } = await anOrderOnCredit(108, { paid: false, shipped: false });
  const { orderId, itemIds } = await anOrder(orm.em.fork(), order);
  await createInvoice(orm.em, { orderId, items: itemIds.map((orderItemId) => ({ orderItemId, qty: pieces(1) })) });
  expect(await cancelOrder(orm.em, orderId, [giveBackOnCancel()])).toBe(true);
  const comments = await rows<{ comment: string }>(
    'select comment from sales_order_status_history where parent_id = ?',
    [orderId],
  );
  expect(comments.map(({ comment }) => comment)).toContainEqual(
    expect.stringMatching(/^Cancelled in part: \$54\.00 was paid for what is not sold any more\./),
  );
});

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
    expect(await rows('select base_pending_refund from sales_order where entity_id = ?', [orderId])).toEqual([
      { base_pending_refund: '54.0000' },
    ]);
    // Never captured: a gateway must not be told that the credit was.
    expect((await claimRefundCall(orm.em.fork(), { attemptId, timeoutSeconds: 20 }))?.capturedAmount).toBe(money('68'));

    await Promise.all(Array.from({ length: 8 }, () => book(attemptId, `ref-${attemptId}`)));

    expect(await walletOf(orm, customerId)).toBe('20.0000');
    expect(await findRefundAttempt(orm.em.fork(), attemptId)).toMatchObject({
      state: 'booked',
      baseAmount: 34,
      amount: 34,
    });
    expect(await findReturn(orm.em.fork(), returnId)).toMatchObject({
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
    const asCredit = reserveCreditRefund(orm.em, {
      orderId,
      kind: 'store_credit',
      providerCode: 'store_credit',
      baseCurrencyCode: 'USD',
      websiteId: 1,
      customerId,
      code: null,
      amount: money('1'),
      reason: 'again',
      requestKey: null,
    });
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
    expect(await rows('select base_reserved, amount_reserved from order_credit where order_id = ?', [orderId])).toEqual(
      [{ base_reserved: '0.0000', amount_reserved: '0.0000' }],
    );
    await orm.em.fork().execute('update sale_return set is_ready = true where return_id = ?', [returnId]);
    await settle(returnId);
    expect(await walletOf(orm, customerId)).toBe('20.0000');
  });

  test('that nobody knows the end of keeps its legs from every other refund of the order', async () => {
    const { customerId, order } = await anOrderOnCredit(40);
    const first = await aParkedReturn(order, 'original_payment');
    const { attempt_id: attemptId } = await attemptOf(first.returnId);
    const preview = await previewRefund(orm.em.fork(), {
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
    const found = await findReturn(orm.em.fork(), first.returnId);
    expect(found).toMatchObject({ baseHandback: 34, refundLegs: [{ amount: money('20') }] });
  });

  test('of two at once on one order each has its own legs', async () => {
    const { customerId, order } = await anOrderOnCredit(40.01);
    const first = await aParkedReturn(order, 'cash');
    const second = await andTheOther(first, 'cash');
    const open = (returnId: number) =>
      startGatewaySettlement(orm.em, { returnId, options: plainSettlement, canRefundThrough: reachable });
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
    await startGatewaySettlement(orm.em, { returnId, options, canRefundThrough: reachable, expectedLegs: [leg('1')] });
    const { attempt_id: attemptId } = await attemptOf(returnId);
    await book(attemptId, `differs-${attemptId}`);
    expect(await findReturn(orm.em.fork(), returnId)).toMatchObject({
      refundDifference: 'The credit given back differs from the preview (store_credit: expected 1, booked 20).',
    });
  });

  describe('of an order that credit paid whole', () => {
    const noGateway = () => false;

    test('asks no gateway: the memo is booked at once, and there is no attempt', async () => {
      const { customerId, order } = await anOrderOnCredit(108);
      const { returnId } = await aReturn(orm, { locationId, refundMethod: 'original_payment', order });
      const begin = () => initialiseReturn(orm.em, { returnId, canRefundThrough: noGateway });
      const answers = await Promise.all(Array.from({ length: 8 }, begin));
      expect(answers.filter(({ attempt }) => attempt)).toEqual([]);
      expect(await begin()).toMatchObject({ status: 'closed', isReady: true });
      expect(await findReturn(orm.em.fork(), returnId)).toMatchObject({
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
      await orm.em.fork().execute(`update website set base_currency_code = 'SEK' where website_id = 1`);
      const answer = await initialiseReturn(orm.em, { returnId, canRefundThrough: noGateway });
      await orm.em.fork().execute(`update website set base_currency_code = 'USD' where website_id = 1`);
      expect(answer).toMatchObject({ status: 'awaiting_refund', isReady: true, refused: { status: 400 } });
      expect(await walletOf(orm, customerId)).toBe('0.0000');
      await settle(returnId);
      expect(await walletOf(orm, customerId)).toBe('54.0000');
    });
  });
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
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => refundAll(orderId)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
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
    await Promise.all(Array.from({ length: 8 }, () => cancelOrder(orm.em, orderId, [giveBackOnCancel()])));
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
  const preview = await previewRefund(orm.em.fork(), {
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
