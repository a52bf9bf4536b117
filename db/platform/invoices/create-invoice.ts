import type { EntityManager } from '@mikro-orm/postgresql';
import type { WantedLine } from '../../../domain/platform/document-lines.ts';
import { addDocumentComment, type DocumentRemark } from '../orders/add-document-comment.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { withOrder } from '../orders/lock-order.ts';
import { markInvoicePaid } from './mark-invoice-paid.ts';
import { draftInvoice, insertInvoice } from './open-invoice.ts';
import { releaseVirtual } from './release-virtual.ts';

export interface InvoiceRequest {
  orderId: number;
  /** Everything left to invoice when empty. */
  items?: readonly WantedLine[];
  comment?: DocumentRemark;
}

/**
 * Invoices goods of an order. The invoice is always paid, and the order's total paid follows (platform facts 6).
 *
 * Under the order lock. Of several calls for the same goods one succeeds.
 *
 * Refused with: 404 unknown order · 400 `Invoice Document Validation Error(s):` · 400 too many of a line.
 *
 * @returns the invoice's id
 */
export const createInvoice = (em: EntityManager, request: InvoiceRequest): Promise<number> =>
  withOrder(em, request.orderId, async (tx, order) => {
    const draft = await draftInvoice(tx, order, request.items);
    const { invoice } = draft;
    await insertInvoice(tx, draft, markInvoicePaid(order, invoice));
    await applyOrderState(tx, order, 'invoice');
    await releaseVirtual(tx, order, invoice);
    if (request.comment)
      await addDocumentComment(tx, { document: 'invoice', parentId: invoice.entityId, ...request.comment });
    return invoice.entityId;
  });
