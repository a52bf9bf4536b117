import { proxyActivities, sleep } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refunds.ts';
import { isRefused } from '../../domain/outcome.ts';
import { pausesBetweenLookUps, isDecided, type Recorded } from '../../domain/refunds/refund-finding.ts';
import { graceSeconds, longestWaitForAWorker, mustHappen } from '../support/activity-options.ts';
import { followAttempt, lookUpOrDoubt } from '../refunds.ts';

const { recordFinding } = proxyActivities<RefundActivities>(mustHappen);

export interface AttemptToConclude {
  attemptId: number;
  /** Absent for goods refunded without a return. */
  rmaId?: number;
  orderId: number;
  /** A call may have been made already: it is waited for and looked up, never repeated. */
  isClaimed: boolean;
  /** Until such a call is over. */
  waitSeconds?: number;
  gatewayTimeoutSeconds: number;
  /** The call must not begin after it, by the database's clock: nobody waits for it any more. Absent: it always may. */
  beginBefore?: string;
}

/**
 * The one way in which money goes back through a gateway (spec 3.3): the attempt is committed; one call; look-ups where
 * its answer is lost; the verdict. Everything that refunds composes it.
 *
 * An attempt that stays uncertain gets a workflow of its own, which outlives this one.
 *
 * @returns what is in PostgreSQL
 */
export async function concludeAttempt(attempt: AttemptToConclude): Promise<Recorded> {
  const called = attempt.isClaimed ? await afterLostCall(attempt) : await callOnce(attempt);
  if (isDecided(called.state)) return called;
  const found = await findOut(attempt.attemptId);
  if (found.state === 'uncertain') await follow(attempt);
  return found;
}

/**
 * One attempt and no retries, so that money leaves at most once. Any failure here is a doubt that a look-up must
 * resolve. A worker that is stopping claims nothing, and hands the call on.
 */
async function callOnce({ attemptId, gatewayTimeoutSeconds, beginBefore }: AttemptToConclude): Promise<Recorded> {
  const { refundThroughGateway } = proxyActivities<RefundActivities>({
    scheduleToStartTimeout: longestWaitForAWorker,
    startToCloseTimeout: `${gatewayTimeoutSeconds + graceSeconds} seconds`,
    retry: { maximumAttempts: 1 },
    summary: 'give the money back through the gateway, once',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
  try {
    for (;;) {
      const recorded = await refundThroughGateway({ attemptId, beginBefore });
      if (recorded.isHandedOn !== true) return recorded;
      await sleep(1_000, { summary: 'a worker is stopping; another one takes the call' });
    }
  } catch {
    return { state: 'started' };
  }
}

/** Whoever claimed it is gone, and its call may still be under way: only then has a look-up something to find. */
async function afterLostCall({ waitSeconds }: AttemptToConclude): Promise<Recorded> {
  if (waitSeconds) await sleep(waitSeconds * 1_000, { summary: 'until the call that was begun is over' });
  return { state: 'started' };
}

/** Looks up a few times and records once: the first finding that decides, or the last one. */
async function findOut(attemptId: number): Promise<Recorded> {
  let finding = await lookUpOrDoubt(attemptId);
  for (const pauseSeconds of pausesBetweenLookUps) {
    if (finding.evidence !== 'unknown') break;
    await sleep(pauseSeconds * 1_000, { summary: 'before the next look-up' });
    finding = await lookUpOrDoubt(attemptId);
  }
  const recorded = await recordFinding({ attemptId, finding, isOwn: true });
  return isRefused(recorded) ? { state: 'uncertain' } : recorded;
}

function follow({ attemptId, orderId, rmaId }: AttemptToConclude): Promise<void> {
  const whose = rmaId === undefined ? `order ${orderId}` : `return ${rmaId}`;
  const named = { attemptId, orderId, summary: `Uncertain refund ${attemptId} of ${whose}` };
  return followAttempt(rmaId === undefined ? named : { ...named, rmaId });
}
