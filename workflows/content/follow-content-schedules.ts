import { proxyActivities } from '@temporalio/workflow';
import type { ContentActivities } from '../../activities/content/content-activities.ts';
import { sweeping } from '../support/activity-options.ts';
import { signalIfRunning, startDetached } from '../support/start-detached.ts';
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
  const isNew = await startDetached<typeof contentScheduleWorkflow>('contentScheduleWorkflow', {
    workflowId: contentScheduleId(scheduleId),
    args: [{ scheduleId }],
    staticSummary: `Schedule ${scheduleId}, taken up again`,
  });
  if (!isNew) await signalIfRunning(contentScheduleId(scheduleId), refreshSignal);
}
