import { startDetached } from '../support/start-detached.ts';
import { posOrderId } from '../support/search-attributes.ts';
import { processWorkflowId } from './messages.ts';
import type { processWorkflow } from '../process.ts';

export interface ProcessToWake {
  processId: number;
  orderId: number;
  requestKey: string;
}

/**
 * Starts the workflow of an interrupted collapsed return, unless it runs already. Its rows keep two runs from doing
 * the same.
 */
export async function wakeProcess({ processId, orderId, requestKey }: ProcessToWake): Promise<void> {
  await startDetached<typeof processWorkflow>('processWorkflow', {
    workflowId: processWorkflowId(orderId, requestKey),
    args: [{ processId }],
    staticSummary: `Collapsed return ${processId}, started again`,
    typedSearchAttributes: [{ key: posOrderId, value: orderId }],
  });
}
