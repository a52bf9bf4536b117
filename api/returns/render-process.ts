import { z } from 'zod';
import { fillIn } from '../../domain/fill-in.ts';
import type { ProcessRecord } from '../../db/process/process.repository.ts';

/** The result of a collapsed return (spec 4.8). Amounts in the order's currency. */
export const processAnswer = z
  .object({
    success: z.boolean(),
    error: z.string().nullable(),
    rma_id: z.int().nullable(),
    rma_increment_id: z.string().nullable(),
    credit_memo_id: z.int().nullable(),
    credit_memo_increment_id: z.string().nullable(),
    refund_total: z.number(),
    store_credit_issued: z.number(),
    exchange_credit_amount: z.number(),
    is_online_refund: z.boolean(),
    payment_method: z.string().nullable(),
    transaction_id: z.string().nullable(),
  })
  .meta({ id: 'ProcessedReturn' });

/** The only place that knows a collapsed return's wire names. It succeeded when it has a memo. */
export const renderProcess = (run: ProcessRecord): z.input<typeof processAnswer> => ({
  success: run.state === 'done',
  error: run.state === 'done' || !run.refusal ? null : fillIn(run.refusal.message, run.refusal.parameters),
  rma_id: run.returnId,
  rma_increment_id: run.returnIncrementId,
  credit_memo_id: run.creditMemoId,
  credit_memo_increment_id: run.creditMemoIncrementId,
  refund_total: run.refundTotal,
  store_credit_issued: run.storeCreditIssued,
  exchange_credit_amount: run.exchangeCreditAmount,
  is_online_refund: run.isOnlineRefund,
  payment_method: run.paymentMethod,
  transaction_id: run.transactionId,
});
