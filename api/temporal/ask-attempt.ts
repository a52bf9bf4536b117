import type { EntityManager } from '@mikro-orm/postgresql';
import type { UpdateDefinition } from '@temporalio/common';
import { findRefundAttempt, type RefundAttemptRecord } from '../../db/refunds/refund-attempt.repository.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { isDecided, refundAttemptId, type RefundAttemptState } from '../../domain/refunds/refund-finding.ts';
import { posOrderId, posRefundState } from '../../workflows/support/search-attributes.ts';
import { StillRunning, type Workflows } from '../../providers/temporal/workflows.ts';

export interface AttemptQuestion<Request> {
  em: EntityManager;
  workflows: Workflows;
  requestId: string;
  attemptId: number;
  update: UpdateDefinition<RefundAttemptState, [Request]>;
  request: Request;
  /**
   * A person's word: where nobody says in time whether it was heard, the answer is that, and not the state as it was.
   */
  isWord?: boolean;
  /** Called where the attempt was decided before. */
  replayed?: () => void;
}

/**
 * Asks a refund attempt's workflow, and answers the committed state. A decided attempt is answered unchanged.
 *
 * Refused with: 404 unknown attempt · 503 workflows cannot be reached, or a word is not carried out yet.
 */
export async function askAttempt<Request>(question: AttemptQuestion<Request>): Promise<RefundAttemptRecord> {
  const { em, workflows, requestId, attemptId, update, request, isWord = false, replayed } = question;
  const attempt = await findRefundAttempt(em, attemptId);
  if (isDecided(attempt.state)) {
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
  if (isWord && stillRunning && !isDecided(now.state)) throw stillRunning;
  return now;
}
