import type { EntityManager } from '@mikro-orm/postgresql';
import type { UpdateDefinition } from '@temporalio/common';
import { findRefundAttempt, type RefundAttemptRecord } from '../../db/refunds/refund-attempt.repository.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import {
  isDecided,
  refundAttemptId,
  type RefundAttemptState,
  type RefundResolution,
} from '../../domain/refunds/refund-finding.ts';
import { refundDecided } from '../../domain/refusals/money.ts';
import { posOrderId, posRefundState } from '../../workflows/support/search-attributes.ts';
import { StillRunning, type Workflows } from '../../providers/temporal/workflows.ts';

export interface AttemptQuestion<Request> {
  em: EntityManager;
  workflows: Workflows;
  requestId: string;
  attemptId: number;
  update: UpdateDefinition<RefundAttemptState, [Request]>;
  request: Request;
  /** A person's decision: where no worker confirms in time that it is recorded, the answer is 503. */
  decision?: RefundResolution['resolution'];
  /** Called where the attempt was decided before, or the same decision is recorded. */
  replayed?: () => void;
}

/**
 * Asks a refund attempt's workflow, and answers the committed state. A decided attempt is answered unchanged.
 *
 * A decision that is recorded and takes effect later is answered with its times; the same decision sent again changes
 * nothing.
 *
 * Refused with: 404 unknown attempt · 409 the opposite decision is recorded · 503 workflows cannot be reached, or no
 * worker confirmed the decision.
 */
export async function askAttempt<Request>(question: AttemptQuestion<Request>): Promise<RefundAttemptRecord> {
  const { em, workflows, requestId, attemptId, update, request, decision, replayed } = question;
  const attempt = await findRefundAttempt(em, attemptId);
  if (isDecided(attempt.state)) {
    replayed?.();
    return attempt;
  }
  if (decision !== undefined && isRecorded(attempt, decision)) {
    replayed?.();
    return attempt;
  }
  let stillRunning: StillRunning | undefined;
  try {
    await workflows.ask({
      update,
      workflow: 'refundAttemptWorkflow',
      id: refundAttemptId(attemptId),
      input: { attemptId },
      request,
      operationKey: requestId,
      patienceMs: answerWithinMs,
      summary: `Uncertain refund ${attemptId} of order ${attempt.orderIncrementId}`,
      searchAttributes: [
        { key: posRefundState, value: 'uncertain' },
        { key: posOrderId, value: attempt.orderId },
      ],
    });
  } catch (error) {
    // The work may still be running: the row shows its progress.
    if (!(error instanceof StillRunning)) throw error;
    stillRunning = error;
  }
  const now = await findRefundAttempt(em, attemptId);
  if (decision === undefined || isDecided(now.state) || isRecorded(now, decision)) return now;
  if (stillRunning) throw stillRunning;
  return now;
}

/** Refused with 409: the opposite is recorded. Only "not refunded" takes effect later than it is decided. */
function isRecorded(
  { attemptId, resolvedBy, effectiveAt }: RefundAttemptRecord,
  decision: RefundResolution['resolution'],
): boolean {
  if (resolvedBy === null || effectiveAt === null) return false;
  if (decision === 'not_refunded') return true;
  throw refundDecided({ refund_attempt_id: attemptId, resolved_by: resolvedBy, effective_at: effectiveAt });
}
