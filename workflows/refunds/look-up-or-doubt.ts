import { proxyActivities } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refunds/refund-activities.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { lookUp } from '../support/activity-options.ts';

const { lookUpRefund } = proxyActivities<RefundActivities>(lookUp);

/** What the gateway says of a refund; a look-up that fails in every try leaves the doubt as it is. */
export async function lookUpOrDoubt(attemptId: number): Promise<RefundFinding> {
  try {
    return await lookUpRefund({ attemptId });
  } catch {
    return { evidence: 'unknown', message: 'The gateway could not be asked.' };
  }
}
