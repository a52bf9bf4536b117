import { proxyActivities } from '@temporalio/workflow';
import type { ContentActivities } from '../../activities/content/content-activities.ts';
import { sweeping } from '../support/activity-options.ts';
import { signalIfRunning, startDetached } from '../support/start-detached.ts';
import type { contentScheduleWorkflow } from './content-schedule-workflow.ts';
import { contentScheduleId, refreshSignal } from './messages.ts';

const { findUnfollowedSchedules } = proxyActivities<ContentActivities>(sweeping);

/** The run a minute later does the rest. */
const mostPerMinute = 200;

/**
 * Each minute: starts a workflow for each schedule without one, because Temporal was away or a person terminated it.
 * It also signals the workflows of late schedules.
 *
 * Concurrent and repeated runs are safe.
 *
 * @returns how many schedules there were, for the Temporal page
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
    staticSummary: `Schedule ${scheduleId}, started again`,
  });
  if (!isNew) await signalIfRunning(contentScheduleId(scheduleId), refreshSignal);
}
