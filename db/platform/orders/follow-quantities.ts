import type { EntityManager } from '@mikro-orm/postgresql';
import { minus, none, type Quantity } from '../../../domain/money/quantity.ts';
import { toInvoice, toShip } from '../../../domain/platform/line-quantities.ts';
import { reserve } from '../inventory/reserve.ts';
import type { LockedOrder } from './lock-order.ts';

/** What an order still has to hand over of a product. */
export interface Awaited {
  sku: string;
  qty: Quantity;
}

/** What the lines of an order still have to hand over. Virtual goods count until they are invoiced. */
export const awaitedOf = (order: LockedOrder): Awaited[] =>
  order.lines
    .filter((line) => line.parentItemId == null)
    .map((line) => ({ sku: line.sku, qty: line.isVirtual ? toInvoice(line) : toShip(line) }));

/**
 * Moves the promised stock of an order along with the quantities of its lines. A save may order more or less of a product:
 * without this, the shelf would keep goods for nobody, or sell the same goods twice.
 *
 * @param before what the order awaited before its lines were changed
 */
export function followQuantities(em: EntityManager, order: LockedOrder, before: readonly Awaited[]): Promise<void> {
  const after = awaitedOf(order).map(({ sku, qty }) => ({ sku, qty: minus(none, qty) }));
  const lines = [...before, ...after];
  return reserve(em, { orderId: order.entityId, storeId: order.storeId, eventType: 'order_placed', lines });
}
