import { startChild } from '@temporalio/workflow';
import { isAlreadyStarted } from '../support/is-already-started.ts';
import { posOrderId, posRefundState, posReturnId } from '../support/search-attributes.ts';
import { refundAttemptId } from '../../domain/refunds/refund-attempt-id.ts';
import type { refundAttemptWorkflow } from './refund-attempt-workflow.ts';

export interface AttemptToFollow {
  attemptId: number;
  orderId: number;
  /** Absent where only the sweep found it. */
  rmaId?: number;
  /** For the list of workflows. */
  summary: string;
}

/**
 * Gives an uncertain attempt the workflow that follows it, unless it has one.
 *
 * It outlives the caller; ABANDON helps only once the child has started, so its start is awaited.
 */
export async function followAttempt({ attemptId, orderId, rmaId, summary }: AttemptToFollow): Promise<void> {
  try {
    await startChild<typeof refundAttemptWorkflow>('refundAttemptWorkflow', {
      workflowId: refundAttemptId(attemptId),
      args: [{ attemptId }],
      parentClosePolicy: 'ABANDON',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: summary,
      typedSearchAttributes: [
        { key: posRefundState, value: 'uncertain' },
        ...(rmaId === undefined ? [] : [{ key: posReturnId, value: rmaId }]),
        { key: posOrderId, value: orderId },
      ],
    });
  } catch (error) {
    // Somebody asked about it before we did: it is being followed.
    if (!isAlreadyStarted(error)) throw error;
  }
}
