import { proxyActivities } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refunds/refund-activities.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { lookUp } from '../support/activity-options.ts';

const { lookUpRefund } = proxyActivities<RefundActivities>(lookUp);

/** Asks the gateway about a refund; when every try fails, the attempt stays uncertain. */
export async function lookUpOrDoubt(attemptId: number): Promise<RefundFinding> {
  try {
    return await lookUpRefund({ attemptId });
  } catch {
    return { evidence: 'unknown', message: 'The gateway could not be asked.' };
  }
}
