import { patched, proxyActivities, sleep } from '@temporalio/workflow';
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
  /** Absent for goods refunded without a return. */
  rmaId?: number;
  orderId: number;
  /** A call may have been made already, or is being made: it is waited for and looked up, never repeated. */
  isClaimed: boolean;
  gatewayTimeoutSeconds: number;
}

/**
 * Takes an open attempt as far as possible now: one call, then look-ups, then the booking.
 *
 * An attempt that stays uncertain gets a workflow of its own, which outlives this one.
 *
 * @returns the state in PostgreSQL
 */
export async function concludeAttempt(attempt: AttemptToConclude): Promise<RefundAttemptState> {
  const called: Recorded = attempt.isClaimed ? await endOfCall(attempt) : await callOnce(attempt);
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

/**
 * One attempt and no retries, so that money leaves at most once. Any failure here is a doubt that a look-up must
 * resolve.
 */
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

/**
 * The claim is somebody else's: most often of a route that is calling at this moment, and whose answer counts. Only
 * once that call is over has a look-up something to find.
 */
async function endOfCall({ attemptId, gatewayTimeoutSeconds }: AttemptToConclude): Promise<Recorded> {
  if (!patched('call-by-a-route')) return { state: 'started' };
  const { awaitCall } = proxyActivities<RefundActivities>({
    ...mustHappen,
    scheduleToCloseTimeout: `${2 * (gatewayTimeoutSeconds + graceSeconds)} seconds`,
    startToCloseTimeout: `${gatewayTimeoutSeconds + graceSeconds} seconds`,
    summary: 'wait for whoever is asking the gateway',
  });
  try {
    return await awaitCall({ attemptId });
  } catch {
    return { state: 'started' };
  }
}

/** Looks up a few times and records once: the first finding that decides, or the last one. */
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
