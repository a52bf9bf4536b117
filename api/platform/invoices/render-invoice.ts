import type { DocumentSheet } from '../../../db/platform/orders/document-reader.ts';
import { renderRow } from '../../wire/render-row.ts';
import { renderDocumentComment } from '../../wire/document-comment.ts';
import { invoiceColumns, invoiceItemColumns, invoiceOrderColumns } from './invoice-answer.ts';

/** An invoice in answers (platform facts 6). None can be voided, because offline money is not held. */
export const renderInvoice = ({ document, items, comments, order }: DocumentSheet): Record<string, unknown> => ({
  ...renderRow(document, invoiceColumns),
  ...renderRow(order, invoiceOrderColumns),
  can_void_flag: 0,
  items: items.map((item) => renderRow(item, invoiceItemColumns)),
  comments: comments.map(renderDocumentComment),
});
