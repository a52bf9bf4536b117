import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { BulkActivities } from '../../activities/bulk/bulk-activities.ts';
import { sweeping } from '../support/activity-options.ts';
import { startDetached } from '../support/start-detached.ts';
import type { bulkWorkflow } from './bulk-workflow.ts';
import { bulkId } from './messages.ts';

/** The rest follows a minute later. */
const mostPerMinute = 50;

/**
 * Runs each minute: starts the workflow of bulks that have none. Temporal was away when they were accepted, or an
 * operator ended their workflow.
 *
 * Safe to repeat and to run twice at once.
 *
 * @returns the number of such bulks, for the Temporal page
 */
export async function followBulks(): Promise<number> {
  const { findUnfollowedBulks } = proxyActivities<BulkActivities>({
    ...sweeping,
    taskQueue: `${workflowInfo().taskQueue}-bulk`,
  });
  const uuids = await findUnfollowedBulks({ limit: mostPerMinute });
  await Promise.all(uuids.map(takeUp));
  return uuids.length;
}

async function takeUp(bulkUuid: string): Promise<void> {
  await startDetached<typeof bulkWorkflow>('bulkWorkflow', {
    workflowId: bulkId(bulkUuid),
    args: [{ bulkUuid }],
    staticSummary: 'Carries out a bulk, taken up again',
  });
}
