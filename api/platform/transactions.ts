import { z } from 'zod';
import { transactionTypes } from '../../db/platform/orders/order-parts.entity.ts';
import {
  readTransaction,
  searchTransactions,
  type TransactionRow,
  type TransactionSheet,
} from '../../db/platform/transactions.ts';
import { attributeNameNotValid } from '../../domain/refusals/platform.ts';
import { listRoute } from '../http/route-kinds.ts';
import { route } from '../http/route.ts';
import { informationText, toStockDate } from '../wire/criteria.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownDocument } from '../wire/outcomes.ts';

/** A payment transaction in answers, with its children below it (platform facts 11). */
const renderTransaction = ({ transaction, descendants }: TransactionSheet): TransactionAnswer => ({
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

/** The form of payment transactions in answers (platform facts 11). A missing parent is shown, not left out. */
interface TransactionAnswer {
  transaction_id: number;
  parent_id?: number | undefined;
  order_id: number;
  payment_id: number;
  txn_id: string;
  parent_txn_id: string | null;
  txn_type: (typeof transactionTypes)[number];
  is_closed: 0 | 1;
  additional_information: string[];
  created_at: string;
  child_transactions: TransactionAnswer[];
}

const transactionAnswer: z.ZodType<TransactionAnswer, TransactionAnswer> = z
  .strictObject({
    transaction_id: z.int(),
    parent_id: z.int().optional(),
    order_id: z.int(),
    payment_id: z.int(),
    txn_id: z.string(),
    parent_txn_id: z.string().nullable(),
    txn_type: z.enum(transactionTypes),
    is_closed: z.literal([0, 1]),
    additional_information: z.array(z.string()),
    created_at: z.string(),
    get child_transactions() {
      return z.array(transactionAnswer);
    },
  })
  .meta({ id: 'PaymentTransaction' });

/** One payment transaction with its children (platform facts 11). */
export const getTransaction = route({
  method: 'GET',
  path: '/V1/transactions/:id',
  acl: 'Platform_Sales::transactions_fetch',
  summary: 'One payment transaction',
  name: 'getPaymentTransaction',
  description: 'With the transactions that followed from it.',
  outcomes: [unknownDocument('There is no transaction of this id.')],
  params: z.object({ id: idParam }),
  response: transactionAnswer,

  handle: async ({ em, params: { id } }) => renderTransaction(await readTransaction(em, id)),
});

/** Searches payment transactions by any column, such as `order_id` and `txn_type` (platform facts 11). */
export const listTransactions = listRoute({
  path: '/V1/transactions',
  acl: 'Platform_Sales::transactions_fetch',
  summary: 'Payment transactions',
  name: 'listPaymentTransactions',
  description: `By every column of a transaction, such as \`order_id\` and \`txn_type\`. \`searchCriteria\` is
    required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [attributeNameNotValid],
  answer: transactionAnswer,
  find: searchTransactions,
  render: renderTransaction,
});
