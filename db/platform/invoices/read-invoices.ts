import { createDocumentReader } from '../orders/document-reader.ts';
import { invoiceFields } from './invoice-fields.ts';

/** Reads invoices. See `DocumentReader`. */
export const { read: readInvoice, search: searchInvoices } = createDocumentReader({
  table: 'sales_invoice',
  alias: 'i',
  document: 'invoice',
  fields: invoiceFields,
});
