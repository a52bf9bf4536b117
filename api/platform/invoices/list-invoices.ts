import { searchInvoices } from '../../../db/platform/invoices/read-invoices.ts';
import { listRoute } from '../../http/list-route.ts';
import { invoiceAnswer } from './invoice-answer.ts';
import { renderInvoice } from './render-invoice.ts';

/** Invoices by any column of theirs, such as `order_id` and `state` (platform facts 6). */
export const listInvoices = listRoute({
  path: '/V1/invoices',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Invoices',
  answer: invoiceAnswer,
  find: searchInvoices,
  render: renderInvoice,
});
