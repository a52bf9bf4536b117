import { z } from 'zod';
import { searchInvoices } from '../../../db/platform/invoices/read-invoices.ts';
import { route } from '../../support/route.ts';
import { listAnswer } from '../../support/schemas.ts';
import { renderList, searchCriteria } from '../../support/search-criteria.ts';
import { invoiceAnswer } from './invoice-answer.ts';
import { renderInvoice } from './render-invoice.ts';

/** Invoices by any column of theirs, such as `order_id` and `state` (platform facts 6). */
export const listInvoices = route({
  method: 'GET',
  path: '/V1/invoices',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Invoices',
  query: z.object({ searchCriteria }),
  response: listAnswer(invoiceAnswer),

  async handle({ em, query }) {
    const { rows, totalCount } = await searchInvoices(em, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderInvoice), totalCount);
  },
});
