import { getExternalWorkflowHandle, proxyActivities, startChild } from '@temporalio/workflow';
import type { RepairActivities } from '../../activities/repair/repair-activities.ts';
import { followAttempt, isAlreadyStarted } from '../refunds/follow-attempt.ts';
import { refreshSignal, returnId } from '../returns/messages.ts';
import type { returnWorkflow } from '../returns/return-workflow.ts';
import { mustHappen } from '../support/activity-options.ts';

const { findLimbo } = proxyActivities<RepairActivities>(mustHappen);

/**
 * Each minute: finds what a crash or a terminate left without anybody working on it, and gives it its workflow again.
 *
 * Everything it finds is told or started; what is already being worked on takes no harm.
 *
 * @returns how many were woken, for the Temporal page
 */
export async function repairLimbo(): Promise<{ returns: number; attempts: number }> {
  const { returnIds, attempts } = await findLimbo();
  for (const rmaId of returnIds) await wakeReturn(rmaId);
  for (const { attemptId, orderId } of attempts) {
    await followAttempt({ attemptId, orderId, summary: `Uncertain refund ${attemptId}, taken up again` });
  }
  return { returns: returnIds.length, attempts: attempts.length };
}

async function wakeReturn(rmaId: number): Promise<void> {
  try {
    await startChild<typeof returnWorkflow>('returnWorkflow', {
      workflowId: returnId(rmaId),
      args: [{ rmaId }],
      parentClosePolicy: 'ABANDON',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `Return ${rmaId}, taken up again`,
    });
  } catch (error) {
    if (!isAlreadyStarted(error)) throw error;
    await refresh(rmaId);
  }
}

/** It may have ended between our two messages; then there is nothing to refresh. */
async function refresh(rmaId: number): Promise<void> {
  try {
    await getExternalWorkflowHandle(returnId(rmaId)).signal(refreshSignal);
  } catch {
    return;
  }
}
