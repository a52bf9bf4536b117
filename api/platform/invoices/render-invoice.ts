import type { InvoiceSheet } from '../../../db/platform/invoices/read-invoices.ts';
import { renderRow } from '../../support/render-row.ts';
import { invoiceColumns, invoiceCommentColumns, invoiceItemColumns, invoiceOrderColumns } from './invoice-answer.ts';

/** An invoice as answers have it (platform facts 6). Nothing of ours can be voided: offline money is not held. */
export const renderInvoice = ({ invoice, items, comments, order }: InvoiceSheet): Record<string, unknown> => ({
  ...renderRow(invoice, invoiceColumns),
  ...renderRow(order, invoiceOrderColumns),
  can_void_flag: 0,
  items: items.map((item) => renderRow(item, invoiceItemColumns)),
  comments: comments.map((comment) => renderRow(comment, invoiceCommentColumns)),
});
