import { z } from 'zod';
import { searchTransactions } from '../../../db/platform/transactions/read-transactions.ts';
import { route } from '../../support/route.ts';
import { listAnswer } from '../../support/schemas.ts';
import { renderList, searchCriteria } from '../../support/search-criteria.ts';
import { renderTransaction } from './render-transaction.ts';
import { transactionAnswer } from './transaction-answer.ts';

/** Payment transactions by any column of theirs, such as `order_id` and `txn_type` (platform facts 11). */
export const listTransactions = route({
  method: 'GET',
  path: '/V1/transactions',
  acl: 'Platform_Sales::transactions_fetch',
  summary: 'Payment transactions',
  query: z.object({ searchCriteria }),
  response: listAnswer(transactionAnswer),

  async handle({ em, query }) {
    const { rows, totalCount } = await searchTransactions(em, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderTransaction), totalCount);
  },
});
