import { proxyActivities } from '@temporalio/workflow';
import type { RenewalActivities } from '../../activities/content/renewal-activities.ts';
import { sweeping } from '../support/activity-options.ts';
import { startDetached } from '../support/start-detached.ts';
import type { contentRenewalWorkflow } from './content-renewal-workflow.ts';
import { contentRenewalId } from './messages.ts';

const { findUnfollowedRenewals } = proxyActivities<RenewalActivities>(sweeping);

/** What is left over is found a minute later. */
const mostPerMinute = 50;

/**
 * Each minute: gives blocks that changed within many others a workflow that have none, because Temporal was away, or because
 * a schedule has published them.
 *
 * Two at once, or one twice, come to the same.
 *
 * @returns how many there were, for the Temporal page
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
    staticSummary: 'Renders what a changed block is part of, taken up again',
  });
}
