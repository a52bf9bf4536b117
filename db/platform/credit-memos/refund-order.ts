import type { EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../../domain/money/amount.ts';
import { givenInBase } from '../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import type { RequestedItem } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import type { DocumentRemark } from '../orders/add-document-comment.ts';
import { withOrder, type LockedOrder } from '../orders/lock-order.ts';
import { bookCreditMemo, type CreditMemoBooking, type MemoHook } from './book-credit-memo.ts';
import type { ReadReturned } from './came-back.ts';

/** What the platform's own route asks for (platform facts 7.1). Amounts in the base currency, ex tax. */
export interface OrderRefund {
  orderId: number;
  /** Everything left when empty; a line of quantity zero means money without goods. */
  items: readonly RequestedItem[];
  /** All that is left of the shipping when absent; zero keeps it. */
  shippingAmount?: Amount | undefined;
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
  /** Goods that may be sold again; all others are written off. */
  returnToStockItemIds: readonly number[];
  comment?: DocumentRemark | undefined;
  hooks?: readonly MemoHook[];
  readReturned?: ReadReturned;
}

/** What others have to say of a refund by hand: what they want to happen with it, and what came back with them. */
export type RefundHooks = Pick<OrderRefund, 'hooks' | 'readReturned'>;

/**
 * Refunds an order by hand: the memo, and the goods with it (platform facts 7, 10). Under the order lock.
 *
 * What is refunded is not left, so of several at once one wins. Refused with: 404 unknown order · 400 as
 * `computeCreditMemo` says.
 *
 * @returns the credit memo's id
 */
export const refundOrder = (em: EntityManager, refund: OrderRefund): Promise<number> =>
  withOrder(em, refund.orderId, async (tx, order) => {
    const memo = await bookCreditMemo(tx, bookingByHand(order, refund));
    return memo.entityId;
  });

/** The memo that a refund by hand asks for; its goods move with it. */
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
