import type { EntityManager } from '@mikro-orm/postgresql';
import { add, scale, subtract } from '../../../domain/money/amount.ts';
import { plus } from '../../../domain/money/quantity.ts';
import { toCancel, toRelease } from '../../../domain/platform/line-quantities.ts';
import { canCancel, defaultStatus, stateAfterCancel } from '../../../domain/platform/order-state.ts';
import { refuseWhileRefundUnderWay } from '../../../domain/platform/refund-under-way.ts';
import { reserve } from '../inventory/reserve.ts';
import { countUsage } from '../sales-rules/count-usage.ts';
import { addOrderComment } from './add-order-comment.ts';
import { applyOrderState, figuresOf } from './apply-order-state.ts';
import { saveOrder, withOrder, type LockedOrder, type OrderLine } from './lock-order.ts';

/** What others want to happen when an order was cancelled, in the same transaction. Registered in the wiring. */
export type CancelHook = (em: EntityManager, order: LockedOrder) => Promise<void>;

/**
 * Cancels what is left of an order and gives its promised goods back (platform facts 5.4).
 *
 * Refused with: 404 unknown order · 400 a refund of it is under way.
 *
 * @returns false, with nothing changed, when there is nothing to cancel: an order cancelled before, or fully invoiced
 */
export const cancelOrder = (em: EntityManager, orderId: number, hooks: readonly CancelHook[] = []): Promise<boolean> =>
  withOrder(em, orderId, (tx, order) => cancelLocked(tx, order, hooks));

/** The same inside a caller's transaction, under the order lock; what the hooks change of its rows is the caller's to save. */
export async function cancelLocked(
  em: EntityManager,
  order: LockedOrder,
  hooks: readonly CancelHook[] = [],
): Promise<boolean> {
  const figures = figuresOf(order);
  if (!canCancel(figures)) return false;
  refuseWhileRefundUnderWay(order);
  const lines = order.lines.filter((line) => line.parentItemId == null);
  const released = lines.map((line) => ({ sku: line.sku, qty: toRelease(line) }));
  const state = stateAfterCancel(figures);
  lines.forEach(cancelLine);
  cancelTotals(order);
  order.state = state;
  order.status = defaultStatus[state];
  await addOrderComment(em, { orderId: order.entityId, comment: 'Canceled order offline', status: order.status });
  await applyOrderState(em, order, 'save');
  await saveOrder(em, order);
  for (const hook of hooks) await hook(em, order);
  await reserve(em, {
    orderId: order.entityId,
    storeId: order.storeId,
    eventType: 'order_canceled',
    lines: released,
  });
  await countUsage(em, order, -1);
  return true;
}

/** Taxes are cancelled in proportion, to four decimals. */
function cancelLine(line: OrderLine): void {
  const qty = toCancel(line);
  const share = (value: OrderLine['taxAmount']) => scale(value, qty, line.qtyOrdered, 1);
  line.qtyCanceled = plus(line.qtyCanceled, qty);
  line.taxCanceled = add(line.taxCanceled, share(line.taxAmount));
  line.baseTaxCanceled = add(line.baseTaxCanceled, share(line.baseTaxAmount));
  line.discountTaxCompensationCanceled = add(
    line.discountTaxCompensationCanceled,
    share(line.discountTaxCompensationAmount),
  );
  line.baseDiscountTaxCompensationCanceled = add(
    line.baseDiscountTaxCompensationCanceled,
    share(line.baseDiscountTaxCompensationAmount),
  );
}

/** What was never invoiced is cancelled, and what was never paid. */
function cancelTotals(order: LockedOrder): void {
  order.subtotalCanceled = subtract(order.subtotal, order.subtotalInvoiced);
  order.baseSubtotalCanceled = subtract(order.baseSubtotal, order.baseSubtotalInvoiced);
  order.taxCanceled = subtract(order.taxAmount, order.taxInvoiced);
  order.baseTaxCanceled = subtract(order.baseTaxAmount, order.baseTaxInvoiced);
  order.shippingCanceled = subtract(order.shippingAmount, order.shippingInvoiced);
  order.baseShippingCanceled = subtract(order.baseShippingAmount, order.baseShippingInvoiced);
  order.discountCanceled = subtract(order.discountAmount, order.discountInvoiced);
  order.baseDiscountCanceled = subtract(order.baseDiscountAmount, order.baseDiscountInvoiced);
  order.totalCanceled = subtract(order.grandTotal, order.totalPaid);
  order.baseTotalCanceled = subtract(order.baseGrandTotal, order.baseTotalPaid);
}
