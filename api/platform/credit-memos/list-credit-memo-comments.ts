import { z } from 'zod';
import { readDocumentComments } from '../../../db/platform/orders/read-document-comments.ts';
import { renderRow } from '../../support/render-row.ts';
import { route } from '../../support/route.ts';
import { idParam, listAnswer } from '../../support/schemas.ts';
import { ofParent } from '../../support/of-parent.ts';
import { creditMemoCommentAnswer, creditMemoCommentColumns } from './credit-memo-answer.ts';

/** What was said about a credit memo, newest first; empty for one nobody knows (platform facts 3.5). */
export const listCreditMemoComments = route({
  method: 'GET',
  path: '/V1/creditmemo/:id/comments',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Comments on a credit memo',
  params: z.object({ id: idParam }),
  response: listAnswer(creditMemoCommentAnswer),

  async handle({ em, params: { id } }) {
    const rows = await readDocumentComments(em, 'creditmemo', id);
    return ofParent(
      id,
      rows.map((row) => renderRow(row, creditMemoCommentColumns)),
    );
  },
});
