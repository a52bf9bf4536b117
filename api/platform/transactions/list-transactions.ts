import { searchTransactions } from '../../../db/platform/transactions/read-transactions.ts';
import { listRoute } from '../../http/list-route.ts';
import { renderTransaction } from './render-transaction.ts';
import { transactionAnswer } from './transaction-answer.ts';

/** Payment transactions by any column of theirs, such as `order_id` and `txn_type` (platform facts 11). */
export const listTransactions = listRoute({
  path: '/V1/transactions',
  acl: 'Platform_Sales::transactions_fetch',
  summary: 'Payment transactions',
  answer: transactionAnswer,
  find: searchTransactions,
  render: renderTransaction,
});
