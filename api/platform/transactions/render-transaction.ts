import type { TransactionRow, TransactionSheet } from '../../../db/platform/transactions/read-transactions.ts';
import { informationText } from '../../wire/plain-text.ts';
import { toStockDate } from '../../wire/stock-date.ts';
import type { TransactionAnswer } from './transaction-answer.ts';

/** A payment transaction in answers, with its children below it (platform facts 11). */
export const renderTransaction = ({ transaction, descendants }: TransactionSheet): TransactionAnswer => ({
  transaction_id: transaction.transaction_id,
  ...(transaction.parent_id === null ? {} : { parent_id: transaction.parent_id }),
  order_id: transaction.order_id,
  payment_id: transaction.payment_id,
  txn_id: transaction.txn_id,
  parent_txn_id: transaction.parent_txn_id,
  txn_type: transaction.txn_type,
  is_closed: transaction.is_closed ? 1 : 0,
  additional_information: Object.values(transaction.additional_information).map(informationText),
  created_at: toStockDate(transaction.created_at),
  child_transactions: childrenOf(transaction, descendants),
});

/** A child is always younger than its parent, so this ends. */
const childrenOf = (parent: TransactionRow, descendants: readonly TransactionRow[]): TransactionAnswer[] =>
  descendants
    .filter((one) => one.parent_id === parent.transaction_id && one.transaction_id > parent.transaction_id)
    .map((transaction) => renderTransaction({ transaction, descendants }));
