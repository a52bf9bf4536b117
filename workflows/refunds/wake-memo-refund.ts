import { posOrderId } from '../support/search-attributes.ts';
import { startDetached } from '../support/start-detached.ts';
import type { documentRefundWorkflow } from '../document-refunds.ts';
import { documentRefundId } from './messages.ts';

export interface MemoRefundToWake {
  attemptId: number;
  orderId: number;
  operationKey: string;
}

/** Starts the workflow of an unfinished refund of the platform's own routes, unless it is running. */
export async function wakeMemoRefund({ attemptId, orderId, operationKey }: MemoRefundToWake): Promise<void> {
  await startDetached<typeof documentRefundWorkflow>('documentRefundWorkflow', {
    workflowId: documentRefundId(orderId, operationKey),
    args: [{ orderId, operationKey }],
    staticSummary: `Refund ${attemptId} of an invoice, taken up again`,
    typedSearchAttributes: [{ key: posOrderId, value: orderId }],
  });
}
