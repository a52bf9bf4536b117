import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { BulkActivities } from '../../activities/bulk/bulk-activities.ts';
import { runningOperations } from '../support/activity-options.ts';
import { bulkQuery, type BulkInput, type BulkView } from './messages.ts';

/** Short enough that a killed worker costs little, long enough that the way to Temporal costs less. */
const perBatch = 100;

/**
 * Carries out what a bulk asked, a batch at a time (platform: asynchronous and bulk routes).
 *
 * Which operations are open stands in the database, so a run that is lost is made good by the next.
 *
 * @returns how many went well, were refused, and were never begun, for the Temporal page
 */
export async function bulkWorkflow({ bulkUuid }: BulkInput): Promise<BulkView> {
  const { runBulkBatch } = proxyActivities<BulkActivities>({
    ...runningOperations,
    taskQueue: `${workflowInfo().taskQueue}-bulk`,
  });
  const view: BulkView = { operations: 0, complete: 0, failed: 0, rejected: 0, isDone: false };
  setHandler(bulkQuery, () => view);
  for (;;) {
    Object.assign(view, await runBulkBatch({ bulkUuid, limit: perBatch }));
    setCurrentDetails(detailsOf(view));
    if (view.isDone) return view;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof bulkWorkflow>({ bulkUuid });
  }
}

/** What a person reads on the workflow's page. What was asked stays in the database. */
function detailsOf({ operations, complete, failed, rejected, isDone }: BulkView): string {
  return [
    `### **${complete}** of ${operations} operations are done, ${failed} were refused, ${rejected} could not be read`,
    '',
    isDone ? '- Finished. Nothing more happens here.' : '- The others follow in the order of the request.',
  ].join('\n');
}
