import { z } from 'zod';
import { searchCreditMemos } from '../../../db/platform/credit-memos/read-credit-memos.ts';
import { route } from '../../support/route.ts';
import { listAnswer } from '../../support/schemas.ts';
import { renderList, searchCriteria } from '../../support/search-criteria.ts';
import { creditMemoAnswer } from './credit-memo-answer.ts';
import { renderCreditMemo } from './render-credit-memo.ts';

/** Credit memos by any column of theirs, such as `order_id` and `increment_id` (platform facts 7.1). */
export const listCreditMemos = route({
  method: 'GET',
  path: '/V1/creditmemos',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Credit memos',
  query: z.object({ searchCriteria }),
  response: listAnswer(creditMemoAnswer),

  async handle({ em, query }) {
    const { rows, totalCount } = await searchCreditMemos(em, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderCreditMemo), totalCount);
  },
});
