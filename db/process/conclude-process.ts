import type { EntityManager } from '@mikro-orm/postgresql';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import type { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { finishProcess } from './finish-process.ts';
import { sayWhyOnOrder } from './refuse-process.ts';
import { ReturnProcess } from './return-process.entity.ts';

/**
 * What a verdict about a refund means for the collapsed run that asked for it, in the verdict's transaction: booked ends it
 * well, failed ends it refused, uncertain keeps it open. Nothing for an attempt no run asked for, or a run that is over.
 *
 * @returns whether the order's history was told by it
 */
export async function concludeProcess(
  em: EntityManager,
  { order, attempt }: { order: LockedOrder; attempt: RefundAttempt },
): Promise<boolean> {
  const process = await em.findOne(ReturnProcess, { refundAttemptId: attempt.attemptId, state: 'open' });
  if (!process) return false;
  if (attempt.state === 'booked') {
    const memo = await em.findOneOrFail(CreditMemo, { entityId: attempt.creditMemoId ?? 0 });
    await finishProcess(em, { order, process, memo });
    return true;
  }
  const why = attempt.message ?? 'the gateway did not say why.';
  const isOpen = attempt.state === 'uncertain';
  if (attempt.state === 'failed') {
    process.state = 'refused';
    process.refusal = {
      status: 400,
      message: `The refund did not go through: ${why}`,
      parameters: {
        outcome: 'gateway_refused',
        refund_attempt_id: attempt.attemptId,
        refund_attempt_state: 'failed',
        return_id: process.returnId ?? null,
      },
    };
  }
  await sayWhyOnOrder(em, {
    process,
    orderStatus: order.status,
    why: isOpen ? `nobody knows yet whether refund attempt ${attempt.attemptId} gave the money back. ${why}` : why,
  });
  return true;
}
