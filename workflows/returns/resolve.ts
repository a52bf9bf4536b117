import { proxyLocalActivities } from '@temporalio/workflow';
import type { ReturnActivities } from '../../activities/returns/return-activities.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { oneTransaction } from '../support/activity-options.ts';
import type { ResolveRequest, ReturnAnswer } from './messages.ts';
import { refund } from './refund.ts';

const { resolveReturn } = proxyLocalActivities<ReturnActivities>(oneTransaction);

/**
 * Decides every line of a return: in one transaction, unless its money goes back through the original gateway (spec 4.8).
 *
 * @returns the status in PostgreSQL, or a refusal
 */
export async function resolve(rmaId: number, { resolutions }: ResolveRequest): Promise<Outcome<ReturnAnswer>> {
  const decided = await resolveReturn({ returnId: rmaId, resolutions });
  if (isRefused(decided)) return decided;
  const { status, attempt, gatewayTimeoutSeconds } = decided;
  return attempt ? refund(rmaId, { ...attempt, gatewayTimeoutSeconds }) : { status };
}
