import { describe, expect, test } from 'vitest';
import { giveBackWithMemo } from '../../../db/credits/book-memo-with-credits.ts';
import { giveBackOnCancel } from '../../../db/credits/give-back-on-cancel.ts';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { findReturn } from '../../../db/returns/return.repository.ts';
import { amount, money, toWire, zero } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import {
  aCustomerWithCredit,
  aGiftCard,
  cardBalance,
  pointsOf,
  walletOf,
  withPoints,
} from '../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce, outcomesAtOnce } from '../../support/rivals.ts';
import {
  opensAShopWithCredit,
  orm,
  storeCredit,
  anOrderOnCredit,
  aParkedReturn,
  andTheOther,
  settle,
  leg,
} from './orders-on-credit.ts';

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
