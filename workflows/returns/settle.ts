import { proxyLocalActivities } from '@temporalio/workflow';
import type { ReturnActivities } from '../../activities/returns/return-activities.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { oneTransaction } from '../support/activity-options.ts';
import type { ReturnAnswer, SettleRequest } from './messages.ts';
import { refund } from './refund.ts';

const { bookSettlement, openRefundAttempt } = proxyLocalActivities<ReturnActivities>(oneTransaction);

/**
 * Settles a return: offline methods in one transaction, the original payment through its gateway (spec 4.8).
 *
 * @returns the status now in PostgreSQL, or why not
 */
export async function settle(rmaId: number, request: SettleRequest): Promise<Outcome<ReturnAnswer>> {
  if (request.method !== 'original_payment') return bookSettlement({ ...request, returnId: rmaId });
  const opened = await openRefundAttempt({ returnId: rmaId, options: request.options });
  if (isRefused(opened)) return opened;
  const { status, attempt, gatewayTimeoutSeconds } = opened;
  return attempt ? refund(rmaId, { ...attempt, gatewayTimeoutSeconds }) : { status };
}
