import { searchInvoices } from '../../../db/platform/invoices/read-invoices.ts';
import { listRoute } from '../../http/list-route.ts';
import { invoiceAnswer } from './invoice-answer.ts';
import { renderInvoice } from './render-invoice.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Searches invoices by any column, such as `order_id` and `state` (platform facts 6). */
export const listInvoices = listRoute({
  path: '/V1/invoices',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Invoices',
  name: 'listInvoices',
  description: `By every column of an invoice, such as \`order_id\` and \`state\`: 1 open, 2 paid, 3 cancelled.
    \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: invoiceAnswer,
  find: searchInvoices,
  render: renderInvoice,
});
