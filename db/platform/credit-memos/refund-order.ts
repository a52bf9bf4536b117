import type { EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../../domain/money/amount.ts';
import { givenInBase } from '../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import type { RequestedItem } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import type { DocumentRemark } from '../orders/add-document-comment.ts';
import { withOrder, type LockedOrder } from '../orders/lock-order.ts';
import { bookCreditMemo, type CreditMemoBooking, type MemoHook } from './book-credit-memo.ts';
import type { ReadReturned } from './came-back.ts';

/** The request of the platform's own route (platform facts 7.1). Amounts in the base currency, excluding tax. */
export interface OrderRefund {
  orderId: number;
  /** Empty: everything that is left. A line of quantity zero means money without goods. */
  items: readonly RequestedItem[];
  /** Absent: all shipping that is left. Zero: no shipping goes back. */
  shippingAmount?: Amount | undefined;
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
  /** Goods that may be sold again. All others are written off. */
  returnToStockItemIds: readonly number[];
  comment?: DocumentRemark | undefined;
  hooks?: readonly MemoHook[];
  readReturned?: ReadReturned;
}

/** What other features add to a refund by hand: their hooks, and what returns brought back. */
export type RefundHooks = Pick<OrderRefund, 'hooks' | 'readReturned'>;

/**
 * Refunds an order by hand: books the memo and moves the goods (platform facts 7, 10). Under the order lock.
 *
 * Of several calls at once one succeeds. Refused with: 404 unknown order · 400 as `computeCreditMemo` says.
 *
 * @returns the credit memo's id
 */
export const refundOrder = (em: EntityManager, refund: OrderRefund): Promise<number> =>
  withOrder(em, refund.orderId, async (tx, order) => {
    const memo = await bookCreditMemo(tx, bookingByHand(order, refund));
    return memo.entityId;
  });

/** The memo of a refund by hand; its goods move with it. */
export function bookingByHand(order: LockedOrder, refund: Omit<OrderRefund, 'orderId'>): CreditMemoBooking {
  const inBoth = (base: Amount) => givenInBase(base, order);
  const { shippingAmount, comment } = refund;
  return {
    order,
    request: {
      items: refund.items,
      ...(shippingAmount === undefined ? {} : { shipping: inBoth(shippingAmount) }),
      adjustmentPositive: inBoth(refund.adjustmentPositive),
      adjustmentNegative: inBoth(refund.adjustmentNegative),
      givenIn: 'base',
    },
    isOnline: false,
    movesStock: true,
    returnToStockItemIds: refund.returnToStockItemIds,
    hooks: refund.hooks ?? [],
    readReturned: refund.readReturned,
    ...(comment === undefined ? {} : { comment }),
  };
}
