import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchOrder } from '../../../domain/errors.ts';
import { standInLine } from '../../support/connections/stand-in-line.ts';
import type { OrderItem } from './order-item.entity.ts';
import type { OrderPayment } from './order-payment.entity.ts';
import { Order } from './order.entity.ts';

/** An order nobody else can change until this transaction ends, with its lines and its payment as they are now. */
export type LockedOrder = OrderRow & {
  items: { getItems(): OrderLine[] };
  payment?: { $: PaymentRow } | null | undefined;
};

/** Without what belongs to it. */
export type OrderRow = Omit<Order, 'items' | 'payment' | 'addresses'>;

/** Without the way back to their order. */
export type OrderLine = Omit<OrderItem, 'order'>;
export type PaymentRow = Omit<OrderPayment, 'order'>;

/**
 * Locks an order and reads it, its lines and its payment again under the lock. The first lock of every money flow.
 *
 * Locking twice in one transaction is harmless: what was changed meanwhile is written first, then read again.
 *
 * Refused with: 404 unknown order · 400 the id 0, which is none.
 */
export async function lockOrder(em: EntityManager, orderId: number): Promise<LockedOrder> {
  const order = await standInLine(em, `order ${orderId}`, () =>
    em.findOne(Order, { entityId: orderId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }),
  );
  if (!order) throw noSuchOrder(orderId);
  return em.populate(order, ['items', 'payment'], { refresh: true });
}

/** In the order of their ids. */
export const linesOf = (order: LockedOrder): OrderLine[] => order.items.getItems();

/** Every order has a payment from its first moment on. */
export function paymentOf(order: LockedOrder): PaymentRow {
  if (!order.payment) throw new Error(`order ${order.entityId} has no payment`);
  return order.payment.$;
}
