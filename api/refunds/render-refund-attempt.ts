import { z } from 'zod';
import type { RefundAttemptRecord } from '../../db/refunds/refund-attempt.repository.ts';

/** A refund attempt in a register's answer (spec 2.12). */
export const refundAttemptAnswer = z
  .object({
    attempt_id: z.int(),
    order_id: z.int(),
    return_id: z.int().nullable(),
    payment_method: z.string(),
    channel: z.string(),
    state: z.enum(['started', 'booked', 'uncertain', 'failed']),
    base_amount: z.number(),
    credit_memo_id: z.int().nullable(),
    credit_memo_increment_id: z.string().nullable(),
    gateway_outcome: z.string().nullable(),
    gateway_reference: z.string().nullable(),
    message: z.string().nullable(),
    resolved_by: z.string().nullable(),
    resolution_note: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'RefundAttempt' });

/** The only place that knows an attempt's wire names. */
export const renderRefundAttempt = (attempt: RefundAttemptRecord): z.input<typeof refundAttemptAnswer> => ({
  attempt_id: attempt.attemptId,
  order_id: attempt.orderId,
  return_id: attempt.returnId,
  payment_method: attempt.paymentMethod,
  channel: attempt.channel,
  state: attempt.state,
  base_amount: attempt.baseAmount,
  credit_memo_id: attempt.creditMemoId,
  credit_memo_increment_id: attempt.creditMemoIncrementId,
  gateway_outcome: attempt.gatewayOutcome,
  gateway_reference: attempt.gatewayReference,
  message: attempt.message,
  resolved_by: attempt.resolvedBy,
  resolution_note: attempt.resolutionNote,
  created_at: attempt.createdAt,
  updated_at: attempt.updatedAt,
});
