import type { EntityManager } from '@mikro-orm/postgresql';
import { figuresGiven, type GivenMemo } from '../../../domain/platform/credit-memos/given-memo.ts';
import type { DocumentRemark } from '../orders/add-document-comment.ts';
import { withOrder, type LockedOrder } from '../orders/lock-order.ts';
import { bookCreditMemo, type BookedMemo, type CreditMemoBooking, type FixedFigures } from './book-credit-memo.ts';
import { countTowardsInvoice } from './count-towards-invoice.ts';
import type { RefundHooks } from './refund-order.ts';
import { refundableOrder } from './refundable-order.ts';

/** What `POST /V1/creditmemo/refund` asks for: a memo with its caller's figures (platform facts 7.1). */
export interface RefundWithTotals extends RefundHooks {
  orderId: number;
  memo: GivenMemo;
  /** The invoice it gives back. */
  invoiceId?: number | undefined;
  /** Goods that may be sold again; all others are written off. */
  returnToStockItemIds: readonly number[];
  comment?: DocumentRemark | undefined;
}

/**
 * Refunds an order by hand with the figures of its caller: the memo, its invoice's register, and the goods with it. Under
 * the order lock.
 *
 * What is refunded is not left, so of several at once one wins. Refused with: 404 unknown order or invoice · 400 as
 * `figuresGiven` says.
 *
 * @param noted in the same transaction, last
 */
export const refundWithTotals = (
  em: EntityManager,
  refund: RefundWithTotals,
  noted?: (tx: EntityManager, creditMemoId: number) => Promise<void>,
): Promise<BookedMemo> =>
  withOrder(em, refund.orderId, async (tx, order) => {
    const memo = await bookCreditMemo(tx, bookingWithTotals(order, refund));
    await noted?.(tx, memo.entityId);
    if (refund.invoiceId === undefined) return memo;
    const { baseGrandTotal } = memo;
    await countTowardsInvoice(tx, { orderId: order.entityId, invoiceId: refund.invoiceId, baseGrandTotal });
    return memo;
  });

/** The figures as they are booked, by hand or after a gateway gave them back. */
export const fixedFigures = (order: LockedOrder, memo: GivenMemo): FixedFigures => ({
  figures: figuresGiven(refundableOrder(order), memo),
  from: 'caller',
});

function bookingWithTotals(order: LockedOrder, refund: RefundWithTotals): CreditMemoBooking {
  const { memo, invoiceId, comment, hooks = [], readReturned, returnToStockItemIds } = refund;
  return {
    order,
    request: fixedFigures(order, memo),
    isOnline: false,
    movesStock: true,
    returnToStockItemIds,
    hooks,
    readReturned,
    ...(invoiceId === undefined ? {} : { invoiceId }),
    ...(comment === undefined ? {} : { comment }),
  };
}
