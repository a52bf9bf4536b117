import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refunds/refund-activities.ts';
import type { ProviderActivities } from '../../activities/returns/provider-activities.ts';
import type { ReturnActivities } from '../../activities/returns/return-activities.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { mustHappen, oneTransaction, outsideCall } from '../support/activity-options.ts';
import type { ReturnAnswer } from './messages.ts';
import { refund } from './refund.ts';

const { initialiseReturn } = proxyLocalActivities<ReturnActivities>(oneTransaction);
const { offerReturn } = proxyActivities<ProviderActivities>(outsideCall);
const { recordFinding } = proxyActivities<RefundActivities>(mustHappen);

/**
 * Takes a return as far as its creation asked for, from any state of its rows, and finishes what a crash or a
 * terminate interrupted. A return that is ready, with nothing pending, is only read.
 */
export async function initialise(rmaId: number): Promise<Outcome<ReturnAnswer>> {
  const begun = await initialiseReturn({ returnId: rmaId });
  if (isRefused(begun)) return begun;
  if (begun.needsProvider) {
    const offered = await offerReturn({ returnId: rmaId });
    return isRefused(offered) ? offered : initialise(rmaId);
  }
  const { status, attempt, refused, gatewayTimeoutSeconds } = begun;
  if (refused) return { refused };
  if (!attempt) return { status };
  if (attempt.isLeftOver && !attempt.isClaimed) {
    await recordFinding({ attemptId: attempt.attemptId, finding: neverSent });
    return { status };
  }
  return refund(rmaId, { ...attempt, gatewayTimeoutSeconds });
}

/** The call was never claimed, so it was never made; from now on it cannot be claimed. */
const neverSent = {
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_sent',
  message: 'The refund was interrupted before it was sent.',
} as const;
