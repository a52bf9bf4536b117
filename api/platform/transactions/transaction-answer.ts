import { z } from 'zod';
import { transactionTypes } from '../../../db/platform/orders/payment-transaction.entity.ts';

/** The form of payment transactions in answers (platform facts 11). A missing parent is shown, not left out. */
export interface TransactionAnswer {
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

export const transactionAnswer: z.ZodType<TransactionAnswer, TransactionAnswer> = z
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
