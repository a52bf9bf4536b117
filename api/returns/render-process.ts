import { z } from 'zod';
import { fillIn } from '../../domain/fill-in.ts';
import { whyUnattempted } from '../../domain/returns/collapsed-return.ts';
import type { ProcessRecord } from '../../db/process/process.repository.ts';

/** What came of a collapsed return (spec 4.8). Amounts in the order's currency. */
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

/** What an answer shows of a run. Money as JSON numbers. */
export type ProcessToRender = Pick<
  ProcessRecord,
  | 'state'
  | 'refusal'
  | 'returnId'
  | 'returnIncrementId'
  | 'creditMemoId'
  | 'creditMemoIncrementId'
  | 'refundTotal'
  | 'storeCreditIssued'
  | 'exchangeCreditAmount'
  | 'isOnlineRefund'
  | 'paymentMethod'
  | 'transactionId'
>;

/** The only place that knows a run's wire names. Success is a memo. */
export const renderProcess = (run: ProcessToRender): z.input<typeof processAnswer> => ({
  success: run.state === 'done',
  error: whyNotDone(run),
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

function whyNotDone({ state, refusal, returnIncrementId }: ProcessToRender): string | null {
  if (state === 'unattempted') return whyUnattempted(returnIncrementId);
  return state === 'done' || !refusal ? null : fillIn(refusal.message, refusal.parameters);
}
