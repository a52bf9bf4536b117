import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { PosError, conflict, invalid } from '../../domain/errors.ts';
import type { Quantity } from '../../domain/money/quantity.ts';
import { type SoldLine, type TooMuch, whatForbids } from '../../domain/returns/eligibility.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import { linesOf, lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { nextIncrementId } from '../platform/orders/next-increment-id.ts';
import { transact } from '../support/transact.ts';
import { addReturnComment } from './add-return-comment.ts';
import { Return, ReturnItem } from './return.entity.ts';
import { findReturnOfSale, type ReturnRecord } from './return.repository.ts';
import { soldLines } from './sold-lines.ts';

export interface WantedItem {
  orderItemId: number;
  qtyRequested: Quantity;
  reason: string | null;
  condition: string | null;
  resolution: string | null;
  inspectedCondition: 'pristine' | 'damaged' | 'dispose' | null;
  returnToStock: boolean;
  qtyReceived: Quantity | null;
  targetSourceCode: string | null;
}

export interface NewReturn {
  orderId: number;
  customerId: number | null;
  locationId: number | null;
  items: readonly WantedItem[];
  comment: string | null;
  isAutoApproved: boolean;
  refundMethod: SettleMethod | null;
  posSaleId: string | null;
}

/** The built-in returns provider's name in answers and rows. */
export const builtInProvider = 'builtin';

/**
 * Records a return, with the register's sale id, in one transaction under the order lock (spec 4.8).
 *
 * Safe to repeat with a sale id: the first return of the sale is answered, `isReused`. What `autoApprove` asks for is
 * recorded, not done: `initialiseReturn` does it, after this has been committed, as often as it takes.
 *
 * Refused with: 404 unknown order · 400 unknown location · 400 `return_not_eligible` · 409 `sale_return_conflict`.
 */
export async function createReturn(
  em: EntityManager,
  wanted: NewReturn,
): Promise<{ returnId: number; isReused: boolean }> {
  try {
    return await transact(em, (tx) => createUnderLock(tx, wanted));
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException) || wanted.posSaleId === null) throw error;
    // A rival with the same sale id on another order was faster.
    const existing = await findReturnOfSale(em, wanted.posSaleId);
    if (!existing) throw error;
    return reused(existing, wanted.orderId);
  }
}

async function createUnderLock(em: EntityManager, wanted: NewReturn) {
  const order = await lockOrder(em, wanted.orderId);
  if (wanted.posSaleId !== null) {
    const existing = await findReturnOfSale(em, wanted.posSaleId);
    if (existing) return reused(existing, wanted.orderId);
  }
  if (wanted.locationId !== null) await requireLocation(em, wanted.locationId);
  refuseUnlessEligible(await soldLines(em, wanted.orderId), wanted.items);
  const rma = await insertReturn(em, order, wanted);
  return { returnId: rma.returnId, isReused: false };
}

/** 400, naming the field: goods cannot come in at a place nobody knows. */
async function requireLocation(em: EntityManager, locationId: number): Promise<void> {
  const found = await em.execute('select 1 from pos_location where location_id = ?', [locationId]);
  if (found.length > 0) return;
  throw invalid('Invalid value of "%value" provided for the %fieldName field.', {
    fieldName: 'locationId',
    value: locationId,
  });
}

/** 409 when the sale's return belongs to another order. */
export function reused(existing: ReturnRecord, orderId: number): { returnId: number; isReused: true } {
  if (existing.orderId !== orderId) {
    throw conflict('sale_return_conflict', `The sale already has return ${existing.incrementId} of another order.`, {
      return_id: existing.returnId,
      order_id: existing.orderId,
    });
  }
  return { returnId: existing.returnId, isReused: true };
}

/** 400 `return_not_eligible`, naming the first thing that stands against it. */
export function refuseUnlessEligible(lines: readonly SoldLine[], items: readonly WantedItem[]): void {
  const tooMuch = whatForbids(
    lines,
    items.map(({ orderItemId, qtyRequested }) => ({ orderItemId, qty: qtyRequested })),
  );
  if (tooMuch) throw notEligible(tooMuch);
}

function notEligible({ orderItemId, reasonCode, periodDays }: TooMuch): PosError {
  const what = orderItemId === 0 ? 'The order' : 'An item';
  return invalid(`${what} cannot be returned: more than what is left to return was asked for.`, {
    outcome: 'return_not_eligible',
    reason_code: reasonCode,
    period_days: periodDays,
    order_item_id: orderItemId,
  });
}

async function insertReturn(em: EntityManager, order: LockedOrder, wanted: NewReturn): Promise<Return> {
  const rma = em.create(Return, {
    incrementId: await nextIncrementId(em, 'return', order.storeId),
    orderId: order.entityId,
    customerId: wanted.customerId ?? order.customerId ?? null,
    locationId: wanted.locationId,
    providerCode: builtInProvider,
    status: 'pending',
    isAutoApproved: wanted.isAutoApproved,
    requestedRefundMethod: wanted.isAutoApproved ? wanted.refundMethod : null,
    posSaleId: wanted.posSaleId,
    isReady: !wanted.isAutoApproved,
    comment: wanted.comment,
  });
  const items = linesOf(order);
  for (const item of wanted.items) {
    const line = items.find(({ itemId }) => itemId === item.orderItemId);
    em.create(ReturnItem, {
      ...item,
      rma,
      productName: line?.name ?? null,
      productSku: line?.sku ?? '',
      status: 'pending',
    });
  }
  await em.flush();
  if (wanted.comment !== null)
    addReturnComment(em, { returnId: rma.returnId, comment: wanted.comment, status: 'pending' });
  return rma;
}
