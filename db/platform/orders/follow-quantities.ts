import type { EntityManager } from '@mikro-orm/postgresql';
import { minus, none, type Quantity } from '../../../domain/money/quantity.ts';
import { toInvoice, toShip } from '../../../domain/platform/line-quantities.ts';
import { stockSkuOf } from '../../../domain/platform/sku-of-line.ts';
import { reserve } from '../inventory/reserve.ts';
import type { LockedOrder } from './lock-order.ts';

/** How many of a product an order has still to hand over. */
export interface Awaited {
  sku: string;
  qty: Quantity;
}

/** What the lines of an order have still to hand over. Virtual goods count until they are invoiced. */
export const awaitedOf = (order: LockedOrder): Awaited[] =>
  order.lines
    .filter((line) => line.parentItemId == null)
    .map((line) => ({ sku: stockSkuOf(line), qty: line.isVirtual ? toInvoice(line) : toShip(line) }));

/**
 * Changes an order's reservations when the quantities of its lines change. Without this, stock would stay reserved for
 * no order, or the same goods would be sold twice.
 *
 * @param before what the order still had to hand over before its lines were changed
 */
export function followQuantities(em: EntityManager, order: LockedOrder, before: readonly Awaited[]): Promise<void> {
  const after = awaitedOf(order).map(({ sku, qty }) => ({ sku, qty: minus(none, qty) }));
  const lines = [...before, ...after];
  return reserve(em, { orderId: order.entityId, storeId: order.storeId, eventType: 'order_placed', lines });
}
