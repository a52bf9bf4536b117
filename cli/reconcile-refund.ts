import { merchantReference } from '../db/refunds/merchant-reference.ts';
import { findRefundAttempt, type RefundAttemptRecord } from '../db/refunds/refund-attempt.repository.ts';
import { isDecided } from '../domain/refunds/refund-attempt-state.ts';
import { reconcileUpdate } from '../workflows/refunds/messages.ts';
import { fine, type Answer } from './support/answer.ts';
import { canLookUp } from './support/can-look-up.ts';
import { decideAttempt } from './support/decide-attempt.ts';
import { rowId } from './support/row-id.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `refunds reconcile ID`: asks the gateway again about a refund and books its answer (spec 3.3). Where the gateway
 * keeps no records, it says so and how to continue.
 */
export async function reconcileRefund(context: CommandContext, id: string): Promise<Answer> {
  const attemptId = rowId(id, 'refund-attempt');
  const em = await context.em();
  const attempt = await findRefundAttempt(em, attemptId);
  if (!isDecided(attempt.state) && !(await canLookUp(em, attempt))) return fine(byHand(attempt), attempt);
  return decideAttempt(context, { attemptId, update: reconcileUpdate, request: null });
}

const byHand = (attempt: RefundAttemptRecord) =>
  `The gateway of attempt ${attempt.attemptId} cannot be asked. Look for ${merchantReference(attempt)} in its portal, then: ` +
  `npm run pos -- refunds resolve ${attempt.attemptId} refunded|not_refunded --staff NAME --note TEXT`;
