import { CheckConstraintViolationException, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { conflict, invalid } from '../../domain/errors.ts';
import { zero } from '../../domain/money.ts';
import { isReceivable, mayBeOwed, stockSkuOf } from '../../domain/platform/placement.ts';
import { uniqueConstraintViolated } from '../../domain/refusals/documents.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { insertRows } from '../support/write-rows.ts';
import { openInvoice } from './invoices/invoices.ts';
import { countUsage } from './sales-rules/count-usage.ts';
import { applyOrderState } from './orders/add-order-comment.ts';
import { completeOrder, draftOf } from './orders/complete-order.ts';
import { lockOrder, saveOrder } from './orders/lock-order.ts';
import { rowsOf } from './orders/order-rows.ts';
import { saleFingerprint, type PostedColumns, type PostedOrder } from './orders/posted-order.ts';
import { prepareOrder, withStockSkus } from './orders/prepare-order.ts';
import type { OrderHook, SavedOrder } from './orders/saved-order.ts';

interface OrderContext {
  /** The store of the request's path, for an order without a store. */
  storeId?: number;
  hooks?: readonly OrderHook[];
  /**
   * Whether the order is paid by an invoice that is sent later; absent: none is. Asked of orders that owe something.
   */
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

/**
 * Writes a new order as posted, with all its rows, in two round trips (platform facts 5.1).
 *
 * Refused with: 400 as `draftOf` and `completeOrder` · 404 unknown store.
 */
async function insertOrder(
  em: EntityManager,
  { posted, storeId, now }: { posted: PostedOrder; storeId: number; now: Date },
): Promise<SavedOrder & { isReceivable: boolean; isOwed: boolean }> {
  const draft = draftOf(posted);
  const named = await withStockSkus(em, draft.lines);
  const { incrementId } = draft.columns;
  const numbers = await prepareOrder(em, { storeId, incrementId, skus: named.map(stockSkuOf) });
  const { columns, lines, paid } = completeOrder({ columns: draft.columns, lines: named }, numbers);
  const { method, start } = draft;
  // An order that names no store belongs to the store of the request's path.
  const placed = { ...posted, columns: { ...columns, storeId } };
  const placement = { posted: placed, storeId, lines, method, start, paid, numbers, now };
  await insertRows(em, rowsOf({ ...placement, saleFingerprint: saleFingerprint(posted) }));
  return {
    orderId: numbers.orderId,
    incrementId: numbers.incrementId,
    storeId,
    state: start.state,
    customerId: columns.customerId ?? null,
    posSaleId: columns.posSaleId ?? null,
    posLayawayStatus: columns.posLayawayStatus ?? null,
    isNew: true,
    isReceivable: lines.length > 0 && isReceivable(start.state, receivableOf(columns)),
    isOwed: lines.length > 0 && mayBeOwed(start.state) && paid.amount < (columns.grandTotal ?? zero),
  };
}

const receivableOf = ({ posLayawayStatus, posCreditDue }: PostedColumns) => ({
  layawayStatus: posLayawayStatus,
  creditDue: posCreditDue,
});

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

/**
 * The order that was placed for a sale. Undefined: the sale has no order yet, or the posted order has no sale id.
 *
 * Refused with: 409 `sale_order_conflict`: the sale was posted with other content, or its order got the sale id in
 * another way.
 */
export async function orderOfSale(em: EntityManager, posted: PostedOrder): Promise<SavedOrder | undefined> {
  const { posSaleId } = posted.columns;
  if (!posSaleId) return undefined;
  const known = await selectSaleOrder.first(em, { posSaleId });
  if (!known) return undefined;
  const { entityId: orderId, posSaleFingerprint, ...order } = known;
  if (posSaleFingerprint !== saleFingerprint(posted)) throw saleTaken(known);
  return { ...order, orderId, posSaleId, isNew: true, isReplayed: true };
}

const selectSaleOrder = sql('place-order.selectSaleOrder')`
  select entity_id, increment_id, store_id, state, customer_id, pos_layaway_status, pos_sale_fingerprint
  from sales_order where pos_sale_id = $posSaleId`;

/** 409 `sale_order_conflict`: the sale id belongs to another order. */
const saleTaken = (order?: { entityId: number; incrementId: string }) =>
  conflict(
    'sale_order_conflict',
    order
      ? `The sale is already order ${order.incrementId}, with other content.`
      : 'The sale is already another order.',
    order ? { order_id: order.entityId, increment_id: order.incrementId } : {},
  );

/** Turns errors of the database's constraints into refusals. */
export function refuseContradiction(error: unknown): never {
  if (error instanceof CheckConstraintViolationException) {
    throw invalid('The order could not be saved: its figures contradict each other.');
  }
  if (error instanceof UniqueConstraintViolationException && error.message.includes('sales_order_increment_id')) {
    throw uniqueConstraintViolated();
  }
  if (error instanceof UniqueConstraintViolationException && error.message.includes('sales_order_pos_sale_id_once')) {
    throw saleTaken();
  }
  throw error;
}
