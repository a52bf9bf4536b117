import { CheckConstraintViolationException, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { transact } from '../../support/transact.ts';
import { countUsage } from '../sales-rules/count-usage.ts';
import { openInvoice } from '../invoices/open-invoice.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { insertOrder, type SavedOrder } from '../orders/insert-order.ts';
import { lockOrder, saveOrder } from '../orders/lock-order.ts';
import { orderOfSale, saleTaken } from '../orders/order-of-sale.ts';
import type { PostedOrder } from '../orders/posted-order.ts';

/**
 * A hook that runs when an order is saved, in the same transaction; `posted` is the request. Registered in the
 * wiring. A new order's hooks run before its state is computed, so that their payments count.
 */
export type OrderHook = (em: EntityManager, order: SavedOrder, posted: PostedOrder) => Promise<void>;

export interface OrderContext {
  /** The store of the request's path, for an order without a store. */
  storeId?: number;
  hooks?: readonly OrderHook[];
  /** Whether the order is paid by an invoice that is sent later; absent: none is. Asked of orders that owe something. */
  isOnInvoice?: (em: EntityManager, order: SavedOrder, posted: PostedOrder) => Promise<boolean>;
  now: Date;
}

/** The first store view: the default for an order without a store. */
const defaultStoreId = 1;

/**
 * Places an order: stores it as posted and reserves its goods, in one transaction (platform facts 5.1, 12.3).
 *
 * Three kinds of order get their full invoice in the open state at once (spec 2.13, platform facts 13): a layaway
 * (`pending_payment` with a layaway status), goods on credit that is due, and an order that is paid by invoice. What is
 * posted as paid is money in. Its coupon and promotions count as used. No totals are computed and no stock is checked.
 *
 * A sale is one order: posted again, even concurrently, it gets its present state, `isReplayed`. A repeat without a
 * sale id places another order.
 *
 * Refused with: 400 contradicting figures, an incomplete line or payment, an increment id that is taken · 404 unknown
 * store · 409 `sale_order_conflict`, a sale with other content.
 */
export async function createOrder(em: EntityManager, posted: PostedOrder, context: OrderContext): Promise<SavedOrder> {
  const known = await orderOfSale(em, posted);
  if (known) return known;
  try {
    return await transact(em, (tx) => placeOrder(tx, posted, context));
  } catch (error) {
    // A concurrent request with the same sale was faster; its increment id may have collided first.
    const rival = error instanceof UniqueConstraintViolationException ? await orderOfSale(em, posted) : undefined;
    return rival ?? refuseContradiction(error);
  }
}

/** The same within a caller's transaction; `refuseContradiction` turns the database's errors into refusals. */
export async function placeOrder(
  em: EntityManager,
  posted: PostedOrder,
  { storeId, hooks = [], isOnInvoice, now }: OrderContext,
): Promise<SavedOrder> {
  const placed = await insertOrder(em, { posted, storeId: posted.columns.storeId ?? storeId ?? defaultStoreId, now });
  const isReceivable = placed.isReceivable || (placed.isOwed && (await isOnInvoice?.(em, placed, posted)));
  if (isReceivable) await openReceivable(em, placed.orderId);
  for (const hook of hooks) await hook(em, placed, posted);
  if (placed.state === 'processing' || placed.state === 'complete') await settleState(em, placed.orderId);
  // Last, because orders with the same promotion wait for each other here.
  await countUsage(em, posted.columns, 1);
  return placed;
}

async function openReceivable(em: EntityManager, orderId: number): Promise<void> {
  const order = await lockOrder(em, orderId);
  await openInvoice(em, order);
  await saveOrder(em, order);
}

/** An order posted with a later state than `new` gets the state that every save computes (platform facts 5.3). */
async function settleState(em: EntityManager, orderId: number): Promise<void> {
  const order = await lockOrder(em, orderId);
  await applyOrderState(em, order, 'save');
  await saveOrder(em, order);
}

/** Turns errors of the database's constraints into refusals. */
export function refuseContradiction(error: unknown): never {
  if (error instanceof CheckConstraintViolationException) {
    throw invalid('The order could not be saved: its figures contradict each other.');
  }
  if (error instanceof UniqueConstraintViolationException && error.message.includes('sales_order_increment_id')) {
    throw invalid('Unique constraint violation found');
  }
  if (error instanceof UniqueConstraintViolationException && error.message.includes('sales_order_pos_sale_id_once')) {
    throw saleTaken();
  }
  throw error;
}
