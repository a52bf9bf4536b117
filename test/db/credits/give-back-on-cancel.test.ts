import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { giveBackWithMemo } from '../../../db/credits/book-memo-with-credits.ts';
import { giveBackOnCancel } from '../../../db/credits/give-back-on-cancel.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { verify } from '../../../books/verify/verify.ts';
import { zero } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { aCustomerWithCredit, pointsOf, withPoints } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

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
