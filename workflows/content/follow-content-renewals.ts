import { proxyActivities } from '@temporalio/workflow';
import type { RenewalActivities } from '../../activities/content/renewal-activities.ts';
import { sweeping } from '../support/activity-options.ts';
import { startDetached } from '../support/start-detached.ts';
import type { contentRenewalWorkflow } from './content-renewal-workflow.ts';
import { contentRenewalId } from './messages.ts';

const { findUnfollowedRenewals } = proxyActivities<RenewalActivities>(sweeping);

/** The run a minute later does the rest. */
const mostPerMinute = 50;

/**
 * Each minute: starts a workflow for each changed block without one. Temporal may have been away, or a schedule
 * published the block.
 *
 * Concurrent and repeated runs are safe.
 *
 * @returns how many workflows were started, for the Temporal page
 */
export async function followContentRenewals(): Promise<number> {
  const ids = await findUnfollowedRenewals({ limit: mostPerMinute });
  await Promise.all(ids.map(takeUp));
  return ids.length;
}

async function takeUp(renewalId: number): Promise<void> {
  await startDetached<typeof contentRenewalWorkflow>('contentRenewalWorkflow', {
    workflowId: contentRenewalId(renewalId),
    args: [{ renewalId }],
    staticSummary: 'Renders content with a changed block, started again',
  });
}
