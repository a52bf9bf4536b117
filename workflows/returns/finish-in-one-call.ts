import { proxyLocalActivities } from '@temporalio/workflow';
import type { ReturnActivities } from '../../activities/returns/return-activities.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { runProcess } from '../process/run-process.ts';
import { oneTransaction } from '../support/activity-options.ts';
import type { ProcessRequest, ReturnAnswer } from './messages.ts';

const { loadReturn } = proxyLocalActivities<ReturnActivities>(oneTransaction);

/**
 * Takes a return to its end in one call, from any status (spec 4.8 process).
 *
 * @returns the status in PostgreSQL, or a refusal
 */
export async function finishInOneCall(rmaId: number, { processId }: ProcessRequest): Promise<Outcome<ReturnAnswer>> {
  const outcome = await runProcess(processId);
  if (isRefused(outcome)) return outcome;
  const rma = await loadReturn({ returnId: rmaId });
  return isRefused(rma) ? rma : { status: rma.status };
}
