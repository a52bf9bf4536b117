import type { EntityManager } from '@mikro-orm/postgresql';
import { none } from '../../domain/money/quantity.ts';
import { plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { bookMemoWithCredits } from '../credits/book-memo-with-credits.ts';
import type { ReadReturned } from '../platform/credit-memos/came-back.ts';
import { countTowardsInvoice } from '../platform/credit-memos/count-towards-invoice.ts';
import { figuresWanted, type WantedMemo } from '../platform/credit-memos/wanted-figures.ts';
import type { DocumentRemark } from '../platform/orders/add-document-comment.ts';
import { withOrder } from '../platform/orders/lock-order.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { intentWithoutReturn } from './intent-without-return.ts';
import { openRefundAttempt } from './open-refund-attempt.ts';
import { readDocumentRefund, type DocumentRefundRecord } from './read-document-refund.ts';

/** A refund of one invoice by the platform's own routes, through the gateway that took the money. */
export interface DocumentRefund extends WantedMemo {
  orderId: number;
  comment?: DocumentRemark | undefined;
  /** Names the request in all of its runs. */
  operationKey: string;
  /** Until then it may begin, by the database's clock. */
  beginBefore: string;
}

/** What the worker knows of gateway and returns, and the transaction needs. */
export interface DocumentRefundFacts {
  /** Whether a gateway can refund this payment method. */
  canRefundThrough: (paymentMethod: string) => boolean;
  /** 400 where the payment's gateway says no to any refund. */
  refuseUnrefundable: () => void;
  readReturned: ReadReturned;
}

/**
 * Writes down a refund of an invoice with its coming memo, before the gateway is called (platform facts 7.1, spec 3.3).
 * Where all of it is credit, no gateway is needed, and the memo is booked at once. Under the order lock.
 *
 * Until the attempt is decided, no other refund can use the memo's goods, shipping and total. A repeat with the same
 * operation key is answered with what the first run wrote.
 *
 * Refused with: 404 unknown order, an invoice of another order · 503 the moment has passed until which it may begin ·
 * 400 no gateway, figures that do not fit · 409 `gateway_uncertain` while another refund without a return is undecided.
 */
export const openDocumentRefund = (
  em: EntityManager,
  refund: DocumentRefund,
  facts: DocumentRefundFacts,
): Promise<DocumentRefundRecord> =>
  withOrder(em, refund.orderId, async (tx, order) => {
    const { orderId, invoiceId, returnToStockItemIds, operationKey } = refund;
    const known = await readDocumentRefund(tx, { orderId, operationKey });
    if (known) return known;
    await refuseTooLate(tx, refund.beginBefore);
    facts.refuseUnrefundable();
    const fixed = await figuresWanted(tx, order, refund);
    const said = refund.comment === undefined ? {} : { comment: refund.comment };
    const goods = fixed.figures.lines.filter(({ qty }) => qty > none);
    const items = goods.map(({ orderItemId, qty }) => ({ orderItemId, qty }));
    const attempt = await openRefundAttempt(tx, {
      order,
      rma: { returnId: null, intent: await intentWithoutReturn(tx, { orderId, items }), items },
      canRefundThrough: facts.canRefundThrough,
      options: plainSettlement,
      memo: { ...fixed, invoiceId, returnToStockItemIds, requestKey: operationKey, ...said },
    });
    if (!attempt) {
      const { memo } = await bookMemoWithCredits(tx, {
        order,
        request: fixed,
        isOnline: false,
        movesStock: true,
        returnToStockItemIds,
        readReturned: facts.readReturned,
        invoiceId,
        operationKey,
        ...said,
      });
      await countTowardsInvoice(tx, { orderId, invoiceId, baseGrandTotal: memo.baseGrandTotal });
    }
    const opened = await readDocumentRefund(tx, { orderId, operationKey });
    if (!opened) throw new Error(`the refund ${operationKey} of order ${orderId} was not written`);
    return opened;
  });
