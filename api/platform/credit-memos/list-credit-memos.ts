import { searchCreditMemos } from '../../../db/platform/credit-memos/read-credit-memos.ts';
import { listRoute } from '../../http/list-route.ts';
import { creditMemoAnswer } from './credit-memo-answer.ts';
import { renderCreditMemo } from './render-credit-memo.ts';

/** Credit memos by any column of theirs, such as `order_id` and `increment_id` (platform facts 7.1). */
export const listCreditMemos = listRoute({
  path: '/V1/creditmemos',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Credit memos',
  answer: creditMemoAnswer,
  find: searchCreditMemos,
  render: renderCreditMemo,
});
