import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createReturn } from '../../../db/returns/create-return.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { withReturn } from '../../../db/returns/lock-return.ts';
import { settleThroughGateway } from '../../../db/returns/settle-through-gateway.ts';
import { readOrderRows } from '../../../db/platform/orders/lock-order.ts';
import { refundInvoice } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { explainUsedUp } from '../../../db/refunds/nothing-left.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { invalid } from '../../../domain/errors.ts';
import { money, zero } from '../../../domain/money/amount.ts';
import { none, pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement, type SettlementOptions } from '../../../domain/refunds/quote-refund.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
  await fillShelves();
});
afterAll(async () => {
  await booksHold();
  await orm.close();
});

const { find, fork, fillShelves, booksHold } = booksOf(() => orm);

const sale = (wanted: WantedOrder) => anOrder(fork(), { method: 'provider_a', lastTransId: 'pay_1', ...wanted });
const aLine = { sku: 'MUG', qty: 1, price: '50' };
/** Three lines at 50 and 10 for shipping. */
const threeLines = { lines: [aLine, aLine, aLine], shipping: '10' };

/** A return of a line, of one piece unless told otherwise, its goods in and its money open. */
async function parked(orderId: number, itemId: number, qty = 1) {
  const { returnId } = await createReturn(orm.em, {
    orderId,
    customerId: null,
    locationId,
    items: [{ ...anItem(itemId), qtyRequested: pieces(qty) }],
    comment: null,
    isAutoApproved: true,
    refundMethod: 'cash',
    posSaleId: null,
  });
  await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
  return returnId;
}

/** An uncertain refund by the original payment. */
async function underWay(orderId: number, itemId: number, options: Partial<SettlementOptions> = {}, qty = 1) {
  const returnId = await parked(orderId, itemId, qty);
  const { attempt } = await withReturn(orm.em, returnId, (tx, locked) =>
    settleThroughGateway(tx, {
      ...locked,
      canRefundThrough: () => true,
      options: { ...plainSettlement, ...options },
    }),
  );
  const { attemptId } = attempt!;
  await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
  await recordFinding(orm.em, { attemptId, finding: { evidence: 'unknown' }, now: new Date() });
  return attemptId;
}

async function inCash(orderId: number, itemId: number, options: Partial<SettlementOptions> = {}) {
  const returnId = await parked(orderId, itemId);
  return bookSettlement(orm.em, {
    returnId,
    method: 'cash',
    options: { ...plainSettlement, ...options },
    requestId: `cash-${returnId}`,
  });
}

const wentThrough = (attemptId: number) =>
  recordFinding(orm.em, {
    attemptId,
    finding: { evidence: 'refunded', gatewayReference: `gw-${attemptId}` },
    now: new Date(),
  });

const memosOf = async (orderId: number) =>
  (await find('sales_creditmemo', { order_id: orderId })).map((memo) => ({
    ...{ total: Number(memo['grand_total']), base: Number(memo['base_grand_total']) },
    ...{ shipping: Number(memo['shipping_amount']), goodwill: Number(memo['adjustment_positive']) },
  }));
const byHand = { adjustmentPositive: zero, adjustmentNegative: zero, returnToStockItemIds: [] };
const one = (itemId: number | undefined) => [{ orderItemId: itemId!, qty: pieces(1) }];

describe('while a refund is uncertain', () => {
  test('no other refund gives its shipping back, and it is booked with it', async () => {
    const { orderId, itemIds } = await sale(threeLines);
    const attemptId = await underWay(orderId, itemIds[0]!);
    const preview = await previewRefund(fork(), { orderId, items: one(itemIds[1]), options: plainSettlement });
    expect(preview.refund.order).toBe(money('50'));

    await inCash(orderId, itemIds[1]!);
    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    await inCash(orderId, itemIds[2]!);

    expect(await memosOf(orderId)).toMatchObject([
      { total: 50, shipping: 0 },
      { total: 60, shipping: 10, goodwill: 0 },
      { total: 50, shipping: 0 },
    ]);
  });

  test('the rest of the order can be given back, and shipping again once it failed', async () => {
    const { orderId, itemIds } = await sale({ ...threeLines, lines: [aLine, aLine], shippingTax: '0.8' });
    const attemptId = await underWay(orderId, itemIds[0]!);
    await inCash(orderId, itemIds[1]!);
    const said = { evidence: 'not_refunded', isFinal: true } as const;
    await recordFinding(orm.em, { attemptId, finding: said, now: new Date() });
    await refundOrder(orm.em, { ...byHand, orderId, items: [] });

    expect(await memosOf(orderId)).toMatchObject([
      { total: 50, shipping: 0 },
      { total: 60.8, shipping: 10 },
    ]);
  });

  test('shipping that it was asked to give back stays its own', async () => {
    const { orderId, itemIds } = await sale({ ...threeLines, lines: [aLine, aLine] });
    const attemptId = await underWay(orderId, itemIds[0]!, { shippingAmount: money('10') });
    await inCash(orderId, itemIds[1]!);

    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    expect(await memosOf(orderId)).toMatchObject([{ total: 50 }, { total: 60, shipping: 10 }]);
  });

  test('two of them are each booked as they were worked out, whichever is known first', async () => {
    const lines = [{ sku: 'MUG', qty: 3, price: '33.33', tax: '8.02' }];
    const { orderId, itemIds } = await sale({ ...threeLines, lines });
    const first = await underWay(orderId, itemIds[0]!);
    const second = await underWay(orderId, itemIds[0]!);
    expect(await wentThrough(second)).toMatchObject({ state: 'booked' });
    expect(await wentThrough(first)).toMatchObject({ state: 'booked' });
    await refundOrder(orm.em, { ...byHand, orderId, items: [] });

    expect(await memosOf(orderId)).toMatchObject([
      { total: 36.01, shipping: 0 },
      { total: 46, shipping: 10 },
      { total: 36, shipping: 0 },
    ]);
  });

  test('a cent of rounding does not stop it, where all other money is back', async () => {
    const { orderId, itemIds } = await sale({ lines: [{ sku: 'MUG', qty: 5, price: '10', tax: '4.01' }] });
    const attemptId = await underWay(orderId, itemIds[0]!, {}, 2);
    await inCash(orderId, itemIds[0]!);
    const noGoods = [{ orderItemId: itemIds[0]!, qty: none }];
    await refundOrder(orm.em, { ...byHand, orderId, items: noGoods, adjustmentPositive: money('21.61') });

    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    expect(await memosOf(orderId)).toMatchObject([{ total: 10.8 }, { total: 21.61 }, { total: 21.6 }]);
  });

  test('the platform’s own refunds leave it its goods, and say whose they are', async () => {
    const { orderId, invoiceId, itemIds } = await sale(threeLines);
    const attemptId = await underWay(orderId, itemIds[0]!);
    const asked = { ...byHand, items: one(itemIds[0]), shippingAmount: zero };

    await expect(refundOrder(orm.em, { ...asked, orderId })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('is under way for item'),
      parameters: { refund_attempt_id: attemptId },
    });
    await expect(refundInvoice(orm.em, { ...asked, invoiceId: invoiceId! })).rejects.toMatchObject({ status: 400 });
    await refundOrder(orm.em, { ...byHand, orderId, items: [] });
    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });

    expect(await memosOf(orderId)).toMatchObject([{ total: 100 }, { total: 60, shipping: 10 }]);
  });

  test('a settlement that wants the same goods names it, not a memo of other goods', async () => {
    const { orderId, itemIds } = await sale(threeLines);
    await inCash(orderId, itemIds[1]!);
    const attemptId = await underWay(orderId, itemIds[0]!);
    const order = await readOrderRows(fork(), orderId);
    const wanted = { order: order!, returnId: null, items: one(itemIds[0]) };

    expect(await explainUsedUp(fork(), invalid('Too many.'), wanted)).toMatchObject({
      parameters: { outcome: 'nothing_left_to_refund', refund_attempt_id: attemptId },
    });
  });

  test('its money is kept in the order’s currency, too', async () => {
    const { orderId, itemIds } = await sale({
      lines: [{ sku: 'MUG', qty: 2, price: '5' }],
      rate: '1.36',
      currency: 'CAD',
      storeId: 2,
    });
    const attemptId = await underWay(orderId, itemIds[0]!, { adjustmentNegative: money('0.54') });

    await expect(inCash(orderId, itemIds[0]!, { adjustmentPositive: money('0.55') })).rejects.toThrow(
      'The most money available to refund is 5.4.',
    );
    await refundOrder(orm.em, { ...byHand, orderId, items: one(itemIds[0]), adjustmentPositive: money('0.4') });
    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    expect(await memosOf(orderId)).toMatchObject([
      { total: 7.34, base: 5.4 },
      { total: 6.26, base: 4.6 },
    ]);
  });
});

test.each([
  ['goods that cost nothing', { ...aLine, discount: '50' }, {}],
  ['goods with a fee as large as their price', aLine, { adjustmentNegative: money('50') }],
])('%s come back by the original payment without a gateway', async (_case, line, options) => {
  const { orderId, itemIds } = await sale({ lines: [line, aLine] });
  const returnId = await parked(orderId, itemIds[0]!);
  const asked = { ...plainSettlement, ...options };
  const preview = await previewRefund(fork(), { orderId, items: one(itemIds[0]), options: asked });

  const settled = await withReturn(orm.em, returnId, (tx, locked) =>
    settleThroughGateway(tx, { ...locked, canRefundThrough: () => true, options: asked }),
  );

  expect(settled.attempt).toBeUndefined();
  expect(preview.refund.order).toBe(zero);
  expect(await memosOf(orderId)).toMatchObject([{ total: 0 }]);
});
