import type { EntityManager } from '@mikro-orm/postgresql';
import { unfollowLayaways } from '../../db/layaways/find-unfollowed.ts';
import { findUncertain } from '../../db/refunds/find-limbo.ts';
import { unfollow } from '../../db/returns/followed.ts';
import { idIn } from '../../domain/ids.ts';
import { lifeOfAttempt } from './lives.ts';
import { forEach, wake, type AroundWake } from './wake.ts';

export interface LostRuns {
  /** Runs that ended until then were looked at: the next look begins there. */
  until?: string;
  /** Runs that were terminated, cancelled, failed or timed out. */
  ended: number;
  /** Of these, whose record is still open. */
  takenUp: number;
}

interface LookForLostRuns extends AroundWake {
  em: EntityManager;
  /** Absent: a new life of housekeeping. */
  since: string | undefined;
  now: Date;
}

/** Kinds of work that wait for days, and how their ids begin. The minute's look finds the other kinds by their rows. */
const waiting = { returnWorkflow: 'return-', layawayWorkflow: 'layaway-', refundAttemptWorkflow: 'refund-attempt-' };

/** Where more ended, the comparison of each day finds the rest. */
const mostRuns = 20_000;
const perPage = 500;

/** Temporal lists a run some time after it ended. */
const listedLateMs = 10 * 60_000;
/** How far the first look of a life goes back. What ended earlier is found by the comparison. */
const firstLookMs = 7 * 86_400_000;

/**
 * Finds workflows that were terminated, cancelled, failed or timed out, and takes up what their record still has open:
 * of returns and layaways it says that nobody follows them, and the minute's look starts them again; doubts it starts
 * itself.
 *
 * A repeat does no harm. What runs again already is told to read its row.
 */
export async function takeUpLostRuns({ em, since, now, ...around }: LookForLostRuns): Promise<LostRuns> {
  const { temporal, taskQueue } = around;
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const lost = { until: ago(listedLateMs), ended: 0, takenUp: 0 };
  const types = Object.keys(waiting).map((type) => `'${type}'`);
  const runs = temporal.workflow.list({
    query: `WorkflowType IN (${types.join(', ')}) AND ExecutionStatus IN ('Terminated', 'Canceled', 'Failed', 'TimedOut')
      AND CloseTime >= '${since ?? ago(firstLookMs)}' AND TaskQueue = '${taskQueue}'`,
    pageSize: perPage,
  });
  let page: string[] = [];
  const takeUp = async () => {
    lost.ended += page.length;
    lost.takenUp += await takeUpAll(em, around, page);
    page = [];
  };
  for await (const { workflowId } of runs) {
    page.push(workflowId);
    if (page.length === perPage) await takeUp();
    if (lost.ended >= mostRuns) break;
  }
  await takeUp();
  return lost;
}

async function takeUpAll(em: EntityManager, around: AroundWake, workflowIds: readonly string[]): Promise<number> {
  const idsOf = (start: string) =>
    workflowIds.flatMap((id) => (id.startsWith(start) ? (idIn(id.slice(start.length)) ?? []) : []));
  const returns = await unfollow(em, idsOf(waiting.returnWorkflow));
  const layaways = await unfollowLayaways(em, idsOf(waiting.layawayWorkflow));
  const doubts = await findUncertain(em, idsOf(waiting.refundAttemptWorkflow));
  const { faults } = await forEach(doubts, (attempt) => wake(around, lifeOfAttempt(attempt)));
  if (faults.length > 0) throw faults[0];
  return returns + layaways + doubts.length;
}
