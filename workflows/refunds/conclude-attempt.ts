import { proxyActivities, sleep } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refunds/refund-activities.ts';
import { isRefused } from '../../domain/outcome.ts';
import { pausesBetweenLookUps } from '../../domain/refunds/answer-time.ts';
import type { Recorded } from '../../domain/refunds/recorded.ts';
import { isDecided, type RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import { postMail } from '../mails/post-mail.ts';
import { graceSeconds, longestWaitForAWorker, mustHappen } from '../support/activity-options.ts';
import { followAttempt } from './follow-attempt.ts';
import { lookUpOrDoubt } from './look-up-or-doubt.ts';

const { recordFinding } = proxyActivities<RefundActivities>(mustHappen);

export interface AttemptToConclude {
  attemptId: number;
  /** Absent for goods that are refunded without a return. */
  rmaId?: number;
  orderId: number;
  /** A call may already have been made: it is looked up, never made again. */
  isClaimed: boolean;
  gatewayTimeoutSeconds: number;
}

/**
 * Takes an open attempt as far as it can be taken now: one call, then look-ups, then the books.
 *
 * An attempt that stays uncertain gets a workflow of its own, which outlives this one.
 *
 * @returns the state now in PostgreSQL
 */
export async function concludeAttempt(attempt: AttemptToConclude): Promise<RefundAttemptState> {
  const called: Recorded = attempt.isClaimed ? { state: 'started' } : await callOnce(attempt);
  await postMail(called.mailId);
  if (isDecided(called.state)) return called.state;
  const state = await findOut(attempt.attemptId);
  if (state === 'uncertain') {
    const { attemptId, rmaId, orderId } = attempt;
    const whose = rmaId === undefined ? `order ${orderId}` : `return ${rmaId}`;
    await followAttempt({
      attemptId,
      orderId,
      ...(rmaId === undefined ? {} : { rmaId }),
      summary: `Uncertain refund ${attemptId} of ${whose}`,
    });
  }
  return state;
}

/** One attempt and no retries: money leaves once. Whatever goes wrong here is a doubt, to be looked up. */
async function callOnce({ attemptId, gatewayTimeoutSeconds }: AttemptToConclude): Promise<Recorded> {
  const { refundThroughGateway } = proxyActivities<RefundActivities>({
    scheduleToStartTimeout: longestWaitForAWorker,
    startToCloseTimeout: `${gatewayTimeoutSeconds + graceSeconds} seconds`,
    retry: { maximumAttempts: 1 },
    summary: 'give the money back through the gateway, once',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
  try {
    return await refundThroughGateway({ attemptId });
  } catch {
    return { state: 'started' };
  }
}

/** A few look-ups, recorded once: the last word, or the first that decides. */
async function findOut(attemptId: number): Promise<RefundAttemptState> {
  let finding = await lookUpOrDoubt(attemptId);
  for (const pauseSeconds of pausesBetweenLookUps) {
    if (finding.evidence !== 'unknown') break;
    await sleep(pauseSeconds * 1000, { summary: 'before the next look-up' });
    finding = await lookUpOrDoubt(attemptId);
  }
  const recorded = await recordFinding({ attemptId, finding });
  if (isRefused(recorded)) return 'uncertain';
  await postMail(recorded.mailId);
  return recorded.state;
}
