import { documentCommentsRoute } from '../../http/document-comments-route.ts';

/** The comments on an invoice (platform facts 3.5). */
export const listInvoiceComments = documentCommentsRoute({
  path: '/V1/invoices/:id/comments',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Comments on an invoice',
  name: 'listInvoiceComments',
  description: 'Newest first, at most 1,000. It is empty for an unknown invoice.',
  outcomes: [],
  document: 'invoice',
});
