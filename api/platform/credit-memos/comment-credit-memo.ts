import { commentDocumentRoute } from '../../http/comment-document-route.ts';

/** Adds a comment to a credit memo (platform facts 7.5). */
export const commentCreditMemo = commentDocumentRoute({
  name: 'commentCreditMemo',
  path: '/V1/creditmemo/:id/comments',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Comment on a credit memo',
  document: 'creditmemo',
});
