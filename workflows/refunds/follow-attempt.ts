import { startDetached } from '../support/start-detached.ts';
import { posOrderId, posRefundState, posReturnId } from '../support/search-attributes.ts';
import { refundAttemptId } from '../../domain/refunds/refund-attempt-id.ts';
import type { refundAttemptWorkflow } from './refund-attempt-workflow.ts';

export interface AttemptToFollow {
  attemptId: number;
  orderId: number;
  /** Absent where the sweep found the attempt. */
  rmaId?: number;
  /** Shown in the list of workflows. */
  summary: string;
}

/**
 * Starts the workflow that follows an uncertain attempt, unless it runs already: another caller may have started it.
 * It outlives the caller.
 */
export async function followAttempt({ attemptId, orderId, rmaId, summary }: AttemptToFollow): Promise<void> {
  await startDetached<typeof refundAttemptWorkflow>('refundAttemptWorkflow', {
    workflowId: refundAttemptId(attemptId),
    args: [{ attemptId }],
    staticSummary: summary,
    typedSearchAttributes: [
      { key: posRefundState, value: 'uncertain' },
      ...(rmaId === undefined ? [] : [{ key: posReturnId, value: rmaId }]),
      { key: posOrderId, value: orderId },
    ],
  });
}
