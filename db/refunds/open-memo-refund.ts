import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import { none } from '../../domain/money/quantity.ts';
import { refuseForeignGoods } from '../../domain/platform/refuse-foreign-goods.ts';
import { plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { bookMemoWithCredits } from '../credits/book-memo-with-credits.ts';
import type { FixedFigures } from '../platform/credit-memos/book-credit-memo.ts';
import type { ReadReturned } from '../platform/credit-memos/came-back.ts';
import { countTowardsInvoice } from '../platform/credit-memos/count-towards-invoice.ts';
import { invoiceOf, type InvoiceRow } from '../platform/invoices/invoice.repository.ts';
import type { DocumentRemark } from '../platform/orders/add-document-comment.ts';
import { withOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { intentWithoutReturn } from './intent-without-return.ts';
import { openRefundAttempt } from './open-refund-attempt.ts';
import type { ThroughGateway } from './through-gateway.ts';

/** A refund of one invoice by the platform's own routes, through the gateway that took the money. */
export interface MemoRefund extends ThroughGateway {
  orderId: number;
  invoiceId: number;
  /** Calculates the figures under the order lock and checks them against what is left. */
  fix: (tx: EntityManager, order: LockedOrder, invoice: InvoiceRow) => Promise<FixedFigures> | FixedFigures;
  returnToStockItemIds: readonly number[];
  comment?: DocumentRemark | undefined;
  readReturned?: ReadReturned | undefined;
  requestKey: string;
  /** Called last in the transaction, with the id of the attempt or the memo. */
  noted: (tx: EntityManager, id: number) => Promise<void>;
}

/** What was written: an attempt for the gateway, or the memo itself when all of the refund is credit. */
export type OpenedMemoRefund =
  | { attempt: { attemptId: number }; creditMemoId?: undefined }
  | { creditMemoId: number; attempt?: undefined };

/**
 * Writes down a refund of an invoice with its coming memo, before the gateway is called (platform facts 7.1, spec 3.3).
 * Under the order lock.
 *
 * Until the attempt is decided, no other refund can use the memo's goods, shipping and total. Not safe to repeat: the
 * caller finds what it wrote by the request's idempotency key.
 *
 * Refused with: 404 unknown order, an invoice of another order · 409 `gateway_uncertain` while another refund without a
 * return is undecided · 400 as the figures are checked.
 */
export const openMemoRefund = (em: EntityManager, refund: MemoRefund): Promise<OpenedMemoRefund> =>
  withOrder(em, refund.orderId, async (tx, order) => {
    const { orderId, invoiceId, returnToStockItemIds, comment, requestKey, canRefundThrough, readReturned, noted } =
      refund;
    const invoice = await invoiceOf(tx, invoiceId);
    if (invoice?.orderId !== orderId) throw noSuchDocument();
    refuseForeignGoods(order.lines, returnToStockItemIds);
    const fixed = await refund.fix(tx, order, invoice);
    const said = comment === undefined ? {} : { comment };
    const goods = fixed.figures.lines.filter(({ qty }) => qty > none);
    const items = goods.map(({ orderItemId, qty }) => ({ orderItemId, qty }));
    const attempt = await openRefundAttempt(tx, {
      order,
      rma: { returnId: null, intent: await intentWithoutReturn(tx, { orderId, items }), items },
      canRefundThrough,
      options: plainSettlement,
      memo: { ...fixed, invoiceId, returnToStockItemIds, requestKey, ...said },
    });
    if (attempt) {
      await noted(tx, attempt.attemptId);
      return { attempt };
    }
    const { memo } = await bookMemoWithCredits(tx, {
      order,
      request: fixed,
      isOnline: false,
      movesStock: true,
      returnToStockItemIds,
      readReturned,
      invoiceId,
      ...said,
    });
    await countTowardsInvoice(tx, { orderId, invoiceId, baseGrandTotal: memo.baseGrandTotal });
    await noted(tx, memo.entityId);
    return { creditMemoId: memo.entityId };
  });
