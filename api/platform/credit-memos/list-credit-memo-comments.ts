import { documentCommentsRoute } from '../../http/document-comments-route.ts';

/** The comments on a credit memo (platform facts 3.5). */
export const listCreditMemoComments = documentCommentsRoute({
  path: '/V1/creditmemo/:id/comments',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Comments on a credit memo',
  name: 'listCreditMemoComments',
  description: 'Newest first, at most 1,000. It is empty for an unknown credit memo.',
  outcomes: [],
  document: 'creditmemo',
});
