import { posOrderId } from '../support/search-attributes.ts';
import { startDetached } from '../support/start-detached.ts';
import type { memoRefundWorkflow } from './memo-refund-workflow.ts';
import { memoRefundId } from './messages.ts';

/** Starts the workflow of an unfinished refund of the platform's own routes, unless it is running. */
export async function wakeMemoRefund({ attemptId, orderId }: { attemptId: number; orderId: number }): Promise<void> {
  await startDetached<typeof memoRefundWorkflow>('memoRefundWorkflow', {
    workflowId: memoRefundId(attemptId),
    args: [{ attemptId }],
    staticSummary: `Refund ${attemptId} of a credit memo, taken up again`,
    typedSearchAttributes: [{ key: posOrderId, value: orderId }],
  });
}
