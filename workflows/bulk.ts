import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { BulkActivities } from '../activities/bulk.ts';
import { bulkQuery, type BulkInput, type BulkView } from './messages.ts';
import { runningOperations, staysWithItsBuild } from './support/activity-options.ts';

/** A small batch, so that a killed worker loses little; large enough that calls to Temporal cost less than the work. */
const perBatch = 100;

/**
 * Carries out a bulk's operations in batches (platform: asynchronous and bulk routes).
 *
 * The database knows which operations are open, so a new run continues a lost one.
 *
 * @returns the numbers of operations that succeeded, failed and were rejected, for the Temporal page
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

staysWithItsBuild(bulkWorkflow);

/** The text on the workflow's Temporal page. Requests stay in the database. */
function detailsOf({ operations, complete, failed, rejected, isDone }: BulkView): string {
  return [
    `### **${complete}** of ${operations} operations are done, ${failed} were refused, ${rejected} could not be read`,
    '',
    isDone ? '- Finished. Nothing more happens here.' : '- The others follow in the order of the request.',
  ].join('\n');
}
