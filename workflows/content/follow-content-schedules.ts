import { getExternalWorkflowHandle, proxyActivities, startChild } from '@temporalio/workflow';
import type { ContentActivities } from '../../activities/content/content-activities.ts';
import { sweeping } from '../support/activity-options.ts';
import { isAlreadyStarted } from '../support/is-already-started.ts';
import type { contentScheduleWorkflow } from './content-schedule-workflow.ts';
import { contentScheduleId, refreshSignal } from './messages.ts';

const { findUnfollowedSchedules } = proxyActivities<ContentActivities>(sweeping);

/** What is left over is found a minute later. */
const mostPerMinute = 200;

/**
 * Each minute: gives schedules a workflow that have none, because Temporal was away when they were made or somebody
 * terminated it, and tells those that are late to look.
 *
 * Two at once, or one twice, come to the same.
 *
 * @returns how many there were, for the Temporal page
 */
export async function followContentSchedules(): Promise<number> {
  const ids = await findUnfollowedSchedules({ limit: mostPerMinute });
  await Promise.all(ids.map(takeUp));
  return ids.length;
}

async function takeUp(scheduleId: number): Promise<void> {
  try {
    await startChild<typeof contentScheduleWorkflow>('contentScheduleWorkflow', {
      workflowId: contentScheduleId(scheduleId),
      args: [{ scheduleId }],
      parentClosePolicy: 'ABANDON',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `Schedule ${scheduleId}, taken up again`,
    });
  } catch (error) {
    if (!isAlreadyStarted(error)) throw error;
    await refresh(scheduleId);
  }
}

/** It may have ended meanwhile; then there is nothing to refresh. */
async function refresh(scheduleId: number): Promise<void> {
  try {
    await getExternalWorkflowHandle(contentScheduleId(scheduleId)).signal(refreshSignal);
  } catch {
    return;
  }
}
