import { searchTransactions } from '../../../db/platform/transactions/read-transactions.ts';
import { listRoute } from '../../http/list-route.ts';
import { renderTransaction } from './render-transaction.ts';
import { transactionAnswer } from './transaction-answer.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Searches payment transactions by any column, such as `order_id` and `txn_type` (platform facts 11). */
export const listTransactions = listRoute({
  path: '/V1/transactions',
  acl: 'Platform_Sales::transactions_fetch',
  summary: 'Payment transactions',
  name: 'listPaymentTransactions',
  description: `By every column of a transaction, such as \`order_id\` and \`txn_type\`. \`searchCriteria\` is
    required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: transactionAnswer,
  find: searchTransactions,
  render: renderTransaction,
});
