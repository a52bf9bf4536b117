import type { EntityManager } from '@mikro-orm/postgresql';
import { isPositive } from '../../domain/money/amount.ts';
import { memoRequest, plainSettlement, type RefundedItem } from '../../domain/refunds/quote-refund.ts';
import { methodOfProcess, type ProcessResolution } from '../../domain/returns/collapsed-return.ts';
import { splitRefund } from '../credits/split-refund.ts';
import { quoteCreditMemo } from '../platform/credit-memos/quote-credit-memo.ts';
import { type LockedOrder } from '../platform/orders/lock-order.ts';
import { untrackable } from '../refunds/open-refund-attempt.ts';

export interface ToPay {
  order: LockedOrder;
  /** Null for goods without a return. */
  returnId: number | null;
  items: readonly RefundedItem[];
  wanted: {
    resolution: ProcessResolution;
    isOnline: boolean;
    canRefundThrough: (paymentMethod: string) => boolean;
  };
}

/**
 * Checked before goods and money move, so that no order is half returned when only the admin can refund it. No gateway
 * is needed when the whole refund is credit or comes to zero, whatever the request says (as in `openRefundAttempt`).
 *
 * Refused with: 400 a payment that no gateway can refund, where one is needed.
 */
export async function refuseUnlessPayable(em: EntityManager, { order, returnId, items, wanted }: ToPay): Promise<void> {
  const { method } = order.payment;
  if (methodOfProcess(wanted) !== 'original_payment' || wanted.canRefundThrough(method)) return;
  if (!(await isMoneyHandedBack(em, order, items))) return;
  throw untrackable(method, returnId);
}

async function isMoneyHandedBack(
  em: EntityManager,
  order: LockedOrder,
  items: readonly RefundedItem[],
): Promise<boolean> {
  const figures = quoteCreditMemo(order, memoRequest(items, plainSettlement, order));
  const { handback } = await splitRefund(em, order, figures);
  return isPositive(handback.order);
}
