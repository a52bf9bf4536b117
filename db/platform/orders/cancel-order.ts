import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import {
  countMoney,
  currencies,
  inBoth,
  moneyOf,
  plus,
  scale,
  subtract,
  twins,
  type Amount,
} from '../../../domain/money.ts';
import { toCancel, toRelease } from '../../../domain/platform/document-lines.ts';
import { canCancel, defaultStatus, stateAfterCancel } from '../../../domain/platform/order-state.ts';
import { stockSkuOf } from '../../../domain/platform/placement.ts';
import { refuseWhileRefundUnderWay } from '../../../domain/platform/save-guard.ts';

import { sql } from '../../support/sql.ts';
import { reserve } from '../inventory/move-stock.ts';
import { countUsage } from '../sales-rules/count-usage.ts';
import { addOrderComment, applyOrderState, canceled, figuresOf } from './add-order-comment.ts';
import { saveOrder, withOrder, type LockedOrder, type OrderLine } from './lock-order.ts';

/** What other features do in the same transaction when an order is cancelled. Registered in the wiring. */
export type CancelHook = (em: EntityManager, order: LockedOrder) => Promise<void>;

/**
 * Cancels what is left of an order and releases its reserved goods (platform facts 5.4).
 *
 * Refused with: 404 unknown order · 400 a refund of it is under way.
 *
 * @returns false, with nothing changed, when nothing can be cancelled: it is cancelled already, or fully invoiced
 */
export const cancelOrder = (em: EntityManager, orderId: number, hooks: readonly CancelHook[] = []): Promise<boolean> =>
  withOrder(em, orderId, (tx, order) => cancelLocked(tx, order, hooks));

/** The same inside a caller's transaction, under the order lock. The caller saves what the hooks change of its rows. */
export async function cancelLocked(
  em: EntityManager,
  order: LockedOrder,
  hooks: readonly CancelHook[] = [],
): Promise<boolean> {
  const figures = figuresOf(order);
  if (!canCancel(figures)) return false;
  refuseWhileRefundUnderWay(order);
  const lines = order.lines.filter((line) => line.parentItemId == null);
  const released = lines.map((line) => ({ sku: stockSkuOf(line), qty: toRelease(line) }));
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
  const share = (value: Amount) => scale(value, qty, line.qtyOrdered, 1);
  const shares = inBoth((currency) => {
    const { taxAmount, discountTaxCompensationAmount } = moneyOf(line, taxFigures, currency);
    return { taxAmount: share(taxAmount), discountTaxCompensationAmount: share(discountTaxCompensationAmount) };
  });
  line.qtyCanceled = plus(line.qtyCanceled, qty);
  countMoney(line, canceled.line, shares);
}

const taxFigures = twins('taxAmount', 'discountTaxCompensationAmount');

/** Cancels what was never invoiced and what was never paid. What no invoice took can never be collected. */
function cancelTotals(order: LockedOrder): void {
  const uninvoiced = inBoth((currency) => {
    const { grandTotal, totalInvoiced } = moneyOf(order, totals, currency);
    return { dueTakenOff: subtract(grandTotal, totalInvoiced) };
  });
  countMoney(order, twins('dueTakenOff'), uninvoiced);
  for (const { register, of, less } of canceled.order)
    for (const currency of currencies) order[register[currency]] = subtract(order[of[currency]], order[less[currency]]);
}

const totals = twins('grandTotal', 'totalInvoiced');

/** The store view an order was placed in. Refused with: 404 unknown order. */
export async function storeOfOrder(em: EntityManager, orderId: number): Promise<number> {
  const row = await selectOrder.first(em, { orderId });
  if (!row) throw noSuchDocument();
  return row.storeId;
}

const selectOrder = sql('cancel-order.selectOrder')`select store_id from sales_order where entity_id = $orderId`;
