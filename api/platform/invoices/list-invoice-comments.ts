import { z } from 'zod';
import { readDocumentComments } from '../../../db/platform/orders/read-document-comments.ts';
import { renderRow } from '../../support/render-row.ts';
import { route } from '../../support/route.ts';
import { idParam, listAnswer } from '../../support/schemas.ts';
import { ofParent } from '../../support/of-parent.ts';
import { invoiceCommentAnswer, invoiceCommentColumns } from './invoice-answer.ts';

/** What was said about an invoice, newest first; empty for one nobody knows (platform facts 3.5). */
export const listInvoiceComments = route({
  method: 'GET',
  path: '/V1/invoices/:id/comments',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Comments on an invoice',
  params: z.object({ id: idParam }),
  response: listAnswer(invoiceCommentAnswer),

  async handle({ em, params: { id } }) {
    const rows = await readDocumentComments(em, 'invoice', id);
    return ofParent(
      id,
      rows.map((row) => renderRow(row, invoiceCommentColumns)),
    );
  },
});
