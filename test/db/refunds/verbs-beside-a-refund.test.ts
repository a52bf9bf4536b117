import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { saveInvoice } from '../../../db/platform/invoices/save-invoice.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { holdOrder } from '../../../db/platform/orders/hold-order.ts';
import type { PostedColumns, PostedOrder } from '../../../db/platform/orders/posted-order.ts';
import { unholdOrder } from '../../../db/platform/orders/unhold-order.ts';
import { updateOrder } from '../../../db/platform/order-saves/update-order.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { money, zero } from '../../../domain/money/amount.ts';
import { none, pieces } from '../../../domain/money/quantity.ts';
import type { OrderState } from '../../../domain/platform/order-state.ts';
import { aCancellation, aPayment } from '../../support/builders/layaway.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { aRefundUnderWay, openInvoiceOf } from '../../support/builders/refund-under-way.ts';
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

const { theOrder, fork, change, fillShelves, booksHold } = booksOf(() => orm);

const sale = (wanted: WantedOrder = {}) =>
  anOrder(fork(), { method: 'provider_a', lastTransId: 'pay_1', shipped: false, ...wanted });
const aLine = { sku: 'MUG', qty: 1, price: '50' };
const byHand = { adjustmentPositive: zero, adjustmentNegative: zero, returnToStockItemIds: [] };
const noGoods = (itemIds: readonly number[]) => itemIds.map((orderItemId) => ({ orderItemId, qty: none }));
const save = (orderId: number, columns: PostedColumns, rest: Omit<PostedOrder, 'columns'> = {}) =>
  updateOrder(fork(), orderId, { posted: { columns, ...rest } });

const wentThrough = (attemptId: number) =>
  recordFinding(orm.em, {
    attemptId,
    finding: { evidence: 'refunded', gatewayReference: `gw-${attemptId}` },
    now: new Date(),
  });
const stateOf = async (orderId: number) => (await theOrder(orderId, 'state')).state;
const refused = (attemptId: number) => ({
  status: 400,
  message: 'A refund of this order is under way. Try again when it is known what became of it.',
  parameters: { refund_attempt_id: attemptId },
});

describe.each(['started', 'uncertain'] as const)('while a refund is %s', (state) => {
  const underWay = (orderId: number, itemId: number) => aRefundUnderWay(orm, { orderId, itemId, locationId, state });

  test('its order is not put on hold', async () => {
    const { orderId, itemIds } = await sale();
    const attemptId = await underWay(orderId, itemIds[0]!);
    await expect(holdOrder(fork(), orderId)).rejects.toMatchObject(refused(attemptId));
    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    await holdOrder(fork(), orderId);
    await unholdOrder(fork(), orderId);
  });

  test('what is left of its order is not cancelled', async () => {
    const { orderId, itemIds } = await sale({ lines: [aLine, aLine], paid: false });
    await saveInvoice(fork(), { orderId, state: 2, items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }] });
    const attemptId = await underWay(orderId, itemIds[0]!);
    await expect(cancelOrder(fork(), orderId)).rejects.toMatchObject(refused(attemptId));
    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    expect(await cancelOrder(fork(), orderId)).toBe(true);
  });

  test('no open invoice of its order is cancelled', async () => {
    const { orderId, itemIds } = await sale({ layaway: true });
    await capturePayment(fork(), aPayment(orderId, '60'));
    // Goods of a layaway that is not settled do not come back any more: this refund began before that was a rule.
    const asLayaway = (status: string | null) =>
      change('sales_order', { entity_id: orderId }, { pos_layaway_status: status });
    await asLayaway(null);
    const attemptId = await underWay(orderId, itemIds[0]!);
    await asLayaway('open');
    const entityId = await openInvoiceOf(orm, orderId);
    await expect(saveInvoice(fork(), { entityId, state: 3 })).rejects.toMatchObject(refused(attemptId));
    const wanted = aCancellation(orderId, 0);
    await expect(cancelLayaway(fork(), wanted)).rejects.toMatchObject(refused(attemptId));
    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    await cancelLayaway(fork(), wanted);
  });

  test.each(['holded', 'canceled', 'closed', 'payment_review', 'new'] satisfies OrderState[])(
    'no save makes its order %s',
    async (wanted) => {
      const { orderId, itemIds } = await sale();
      const attemptId = await underWay(orderId, itemIds[0]!);
      await expect(save(orderId, { state: wanted })).rejects.toMatchObject(refused(attemptId));
      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    },
  );

  test('no save changes what its memo is worked out from; all else may be saved, and sent back', async () => {
    const { orderId, itemIds } = await sale({ shipping: '10' });
    const attemptId = await underWay(orderId, itemIds[0]!);
    for (const columns of [
      { shippingAmount: money('11'), baseShippingAmount: money('11') },
      { grandTotal: money('200'), baseGrandTotal: money('200') },
      { taxAmount: money('9') },
      { baseSubtotal: money('101') },
    ])
      await expect(save(orderId, columns)).rejects.toMatchObject(refused(attemptId));
    for (const line of [{ qtyOrdered: pieces(3) }, { rowTotal: money('120') }, { isQtyDecimal: true }])
      await expect(save(orderId, {}, { lines: [{ itemId: itemIds[0], ...line }] })).rejects.toMatchObject(
        refused(attemptId),
      );
    await save(
      orderId,
      { customerNote: 'call me', shippingAmount: money('10'), state: 'processing', baseToOrderRate: '1' },
      { lines: [{ itemId: itemIds[0], qtyOrdered: pieces(2), description: 'blue' }], payment: { poNumber: '7' } },
    );
    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
  });

  test('refunds by hand of all the rest leave its order open, however fees and goodwill balance', async () => {
    const { orderId, itemIds } = await sale({ lines: [aLine, aLine], shipped: true });
    const attemptId = await underWay(orderId, itemIds[0]!);
    const other = [{ orderItemId: itemIds[1]!, qty: pieces(1) }];
    await refundOrder(fork(), { ...byHand, orderId, items: other, adjustmentNegative: money('50') });
    const goodwill = { orderId, items: noGoods(itemIds), adjustmentPositive: money('50') };
    await refundOrder(fork(), { ...byHand, ...goodwill });
    expect(await stateOf(orderId)).toBe('complete');
    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    expect(await stateOf(orderId)).toBe('closed');
  });
});

test('shipping that was refunded cannot be saved smaller, and the goods come back to the cent', async () => {
  const { orderId, itemIds } = await sale({ lines: [aLine], shipping: '10' });
  const refund = { ...byHand, orderId, items: noGoods(itemIds), shippingAmount: money('10') };
  await refundOrder(fork(), refund);
  await expect(save(orderId, { shippingAmount: money('4'), baseShippingAmount: money('4') })).rejects.toMatchObject({
    status: 400,
    parameters: { fieldName: 'shippingAmount' },
  });
  const attemptId = await aRefundUnderWay(orm, { orderId, itemId: itemIds[0]!, locationId, state: 'uncertain' });
  expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
});
