import type { EntityManager } from '@mikro-orm/postgresql';
import { saveRows } from '../../support/kept-rows.ts';
import { documentComments, type DocumentRemark } from '../orders/add-document-comment.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { rowsOfOrder, withOrder } from '../orders/lock-order.ts';
import { markInvoicePaid } from './mark-invoice-paid.ts';
import { draftInvoice, invoiceRows, type WantedInvoice } from './open-invoice.ts';
import { releaseVirtual } from './release-virtual.ts';

export interface InvoiceRequest extends WantedInvoice {
  orderId: number;
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
    const draft = await draftInvoice(tx, order, request);
    const { invoice } = draft;
    const paid = markInvoicePaid(order, invoice);
    await applyOrderState(tx, order, 'invoice');
    const remarks = request.comment
      ? [{ document: 'invoice' as const, parentId: invoice.entityId, ...request.comment }]
      : [];
    await saveRows(tx, rowsOfOrder(order), [...invoiceRows(draft, paid), documentComments(remarks)]);
    await releaseVirtual(tx, order, invoice);
    return invoice.entityId;
  });
