import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { housekeepingId, lookNowUpdate, type HousekeepingInput, type LookRequest } from '../../workflows/messages.ts';

interface Shop {
  client: Client;
  taskQueue: string;
}

/** Housekeeping looks now, once, and all that it began is done; it is started where it does not run. */
export const lookNow = ({ client, taskQueue }: Shop, request: LookRequest = {}, input: HousekeepingInput = {}) =>
  client.workflow.executeUpdateWithStart(lookNowUpdate, {
    args: [request],
    startWorkflowOperation: new WithStartWorkflowOperation('housekeeping', {
      workflowId: housekeepingId(taskQueue),
      taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    }),
  });

export const housekeeper = ({ client, taskQueue }: Shop) => client.workflow.getHandle(housekeepingId(taskQueue));
