import type { EntityManager } from '@mikro-orm/postgresql';
import { figuresGiven, type GivenMemo } from '../../../domain/platform/credit-memos/given-memo.ts';
import type { DocumentRemark } from '../orders/add-document-comment.ts';
import { withOwnNumber } from '../orders/draw-document-numbers.ts';
import { withOrder, type LockedOrder } from '../orders/lock-order.ts';
import { bookCreditMemo, type BookedMemo, type CreditMemoBooking, type FixedFigures } from './book-credit-memo.ts';
import { countTowardsInvoice } from './count-towards-invoice.ts';
import type { RefundHooks } from './refund-order.ts';
import { refundableOrder } from './refundable-order.ts';

/** The request of `POST /V1/creditmemo/refund`: a memo with the caller's own figures (platform facts 7.1). */
export interface RefundWithTotals extends RefundHooks {
  orderId: number;
  memo: GivenMemo;
  /** The memo's own number; absent: the next one. */
  incrementId?: string | undefined;
  /** The invoice that the memo refunds. */
  invoiceId?: number | undefined;
  /** Goods that may be sold again. All others are written off. */
  returnToStockItemIds: readonly number[];
  comment?: DocumentRemark | undefined;
}

/**
 * Refunds an order by hand with the caller's figures. It writes the memo, counts it towards its invoice and moves the
 * goods, all under the order lock.
 *
 * Of several calls at once one succeeds. Refused with: 404 unknown order or invoice · 400 as `figuresGiven` says, a
 * number that is taken.
 *
 * @param noted called last in the same transaction
 */
export const refundWithTotals = (
  em: EntityManager,
  refund: RefundWithTotals,
  noted?: (tx: EntityManager, creditMemoId: number) => Promise<void>,
): Promise<BookedMemo> =>
  withOwnNumber(refund.incrementId, () =>
    withOrder(em, refund.orderId, async (tx, order) => {
      const memo = await bookCreditMemo(tx, bookingWithTotals(order, refund));
      await noted?.(tx, memo.entityId);
      if (refund.invoiceId === undefined) return memo;
      const { baseGrandTotal } = memo;
      await countTowardsInvoice(tx, { orderId: order.entityId, invoiceId: refund.invoiceId, baseGrandTotal });
      return memo;
    }),
  );

/** The caller's figures for booking: by hand now, or after a gateway gave the money back. */
export const fixedFigures = (order: LockedOrder, memo: GivenMemo): FixedFigures => ({
  figures: figuresGiven(refundableOrder(order), memo),
  from: 'caller',
});

function bookingWithTotals(order: LockedOrder, refund: RefundWithTotals): CreditMemoBooking {
  const { memo, incrementId, invoiceId, comment, hooks = [], readReturned, returnToStockItemIds } = refund;
  return {
    order,
    request: fixedFigures(order, memo),
    isOnline: false,
    movesStock: true,
    returnToStockItemIds,
    hooks,
    readReturned,
    incrementId,
    ...(invoiceId === undefined ? {} : { invoiceId }),
    ...(comment === undefined ? {} : { comment }),
  };
}
