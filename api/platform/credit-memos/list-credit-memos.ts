import { searchCreditMemos } from '../../../db/platform/credit-memos/read-credit-memos.ts';
import { listRoute } from '../../http/list-route.ts';
import { creditMemoAnswer } from './credit-memo-answer.ts';
import { renderCreditMemo } from './render-credit-memo.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Searches credit memos by any column, such as `order_id` and `increment_id` (platform facts 7.1). */
export const listCreditMemos = listRoute({
  path: '/V1/creditmemos',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Credit memos',
  name: 'listCreditMemos',
  description: `By every column of a credit memo, such as \`order_id\` and \`increment_id\`; by \`pos_moved_money\` 1 only those
    that gave money back. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: creditMemoAnswer,
  find: searchCreditMemos,
  render: renderCreditMemo,
});
