import type { EntityManager } from '@mikro-orm/postgresql';
import { activityInfo } from '@temporalio/activity';
import { findUnfollowedBulks } from '../../db/bulk/carry-out.ts';
import { findUnfollowedSchedules } from '../../db/content/read-schedules.ts';
import { findUnfollowedRenewals } from '../../db/content/render-places.ts';
import { findReservedRefunds, hasCreditWork, type ReservedRefund } from '../../db/credits/find-credit-work.ts';
import { findUnfollowedEndpoints } from '../../db/events/deliveries.ts';
import { givePlaces, readFeedState } from '../../db/events/feed.ts';
import { findForgottenSessions } from '../../db/register-sessions/follow-session.ts';
import { findUnfollowed, unfollowLayaways } from '../../db/layaways/find-unfollowed.ts';
import { findUrgentMails, findWaitingMails, raiseAlarms, raisePauseAlarms } from '../../db/mails/conclude-mail.ts';
import { findOwedNights } from '../../db/ops/nights.ts';
import { linkLostReceipts } from '../../db/receipts/read-receipt-view.ts';
import { findLimbo, findUncertain, type Limbo } from '../../db/refunds/find-limbo.ts';
import {
  findOverButFollowed,
  findUnfollowedReturns,
  markFollowed,
  unfollow,
  type ReturnToFollow,
} from '../../db/returns/followed.ts';
import { findSecondLooks } from '../../db/verdicts/second-look.ts';
import { feedTroubles } from '../../domain/events.ts';
import { idIn } from '../../domain/ids.ts';
import type { Log } from '../../providers/log.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import { whileAlive, type ActivityDependencies } from '../support.ts';
import { compareRuns, type Compared } from './compare-runs.ts';
import * as lives from './lives.ts';
import { lifeOfAttempt } from './lives.ts';
import { forEach, tell, wake, type ContextWake, type Life } from './wake.ts';

interface LostRuns {
  /** Runs that ended until then were looked at: the next look begins there. */
  until?: string;
  /** Runs that were terminated, cancelled, failed or timed out. */
  ended: number;
  /** Of these, whose record is still open. */
  takenUp: number;
}

interface LookForLostRuns extends ContextWake {
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
async function takeUpLostRuns({ em, since, now, ...context }: LookForLostRuns): Promise<LostRuns> {
  const { temporal, taskQueue } = context;
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
    lost.takenUp += await takeUpAll(em, context, page);
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

async function takeUpAll(em: EntityManager, context: ContextWake, workflowIds: readonly string[]): Promise<number> {
  const idsOf = (start: string) =>
    workflowIds.flatMap((id) => (id.startsWith(start) ? (idIn(id.slice(start.length)) ?? []) : []));
  const returns = await unfollow(em, idsOf(waiting.returnWorkflow));
  const layaways = await unfollowLayaways(em, idsOf(waiting.layawayWorkflow));
  const doubts = await findUncertain(em, idsOf(waiting.refundAttemptWorkflow));
  const { faults } = await forEach(doubts, (attempt) => wake(context, lifeOfAttempt(attempt)));
  if (faults.length > 0) throw faults[0];
  return returns + layaways + doubts.length;
}

/** How much was done of each kind; kinds of nothing are left out. */
interface Woken {
  counts: Record<string, number>;
  /** What could not be done, or not all of it. */
  failed: string[];
}

type ContextWakeWork = ContextWake & Pick<ActivityDependencies, 'orm' | 'log'>;

/**
 * Starts the workflow of everything that was found, and tells those that run already. It only starts and signals:
 * work in progress is not harmed, and a repeat does nothing more. A kind that fails stops no other.
 */
async function wakeWork(parts: ContextWakeWork, found: FoundWork): Promise<Woken> {
  const woken: Woken = { counts: {}, failed: [] };
  const note = (name: string, count: number, faults: unknown[]) => {
    if (count > 0) woken.counts[name] = count;
    if (faults.length === 0) return;
    woken.failed.push(name);
    parts.log.warn({ part: name, faults: faults.length, error: faults[0] }, 'housekeeping could not wake some work');
  };
  const wakeAll = async (name: string, all: readonly Life[]) => {
    const { answers, faults } = await forEach(all, (life) => wake(parts, life));
    note(name, answers.length, faults);
  };
  // First, because a customer waits at a kiosk.
  await wakeAll('urgent mails', found.urgentMailIds.map(lives.lifeOfMail('urgentMailWorkflow')));
  await wakeAll('interrupted returns', found.returnIds.map(lives.lifeOfInterruptedReturn));
  await wakeAll('refunds in doubt', found.attempts.map(lives.lifeOfAttempt));
  await wakeAll('refunds looked at again', (found.secondLooks ?? []).map(lives.lifeOfSecondLook));
  await wakeAll('refunds of credit memos', (found.memoRefunds ?? []).map(lives.lifeOfDocumentRefund));
  await wakeAll('refunds to credit', found.creditRefunds.map(lives.lifeOfCreditRefund));
  await wakeAll('collapsed returns', (found.processes ?? []).map(lives.lifeOfProcess));
  await wakeAll('returns', found.unfollowedReturns.map(lives.lifeOfReturn));
  const over = await forEach(found.overReturnIds, async (rmaId) => {
    const isReported = await tell(parts.temporal, returnId(rmaId), lives.refreshSignal);
    if (!isReported) await markFollowed(parts.orm.em.fork(), rmaId);
  });
  note('ended returns', over.answers.length, over.faults);
  await wakeAll('layaways', found.layawayOrderIds.map(lives.lifeOfLayaway));
  await wakeAll('register sessions', (found.sessionUuids ?? []).map(lives.lifeOfSession));
  await wakeAll('content schedules', found.scheduleIds.map(lives.lifeOfSchedule));
  await wakeAll('content renewals', found.renewalIds.map(lives.lifeOfRenewal));
  await wakeAll('bulks', found.bulkUuids.map(lives.lifeOfBulk));
  await wakeAll('webhook endpoints', (found.endpointIds ?? []).map(lives.lifeOfEndpoint));
  const lifeOfNight = lives.lifeOfNight(parts.taskQueue);
  await wakeAll('nights', (found.owedNights ?? []).map(lifeOfNight));
  await wakeAll('mails', found.mailIds.map(lives.lifeOfMail('mailWorkflow')));
  return woken;
}

/** What one look found: work that no workflow continues. Ids only, and little of each: the next look finds the rest. */
interface FoundWork extends Limbo {
  /** When it was looked for, in milliseconds. */
  at: number;
  urgentMailIds: number[];
  mailIds: number[];
  /** Refunds to ask the gateway about again; absent in histories from before there were any. */
  secondLooks?: number[];
  unfollowedReturns: ReturnToFollow[];
  /** Terminal returns whose workflow may not know it. */
  overReturnIds: number[];
  layawayOrderIds: number[];
  sessionUuids?: string[];
  scheduleIds: number[];
  renewalIds: number[];
  bulkUuids: string[];
  /** Absent in histories from before there were any. */
  endpointIds?: number[];
  /** Nights that fell into an off time; absent in histories from before they were looked for. */
  owedNights?: string[];
  creditRefunds: ReservedRefund[];
  hasCreditWork: boolean;
  /** What could not be looked at; the worker's log says why. */
  failed: string[];
}

/** The most of each kind that one look takes. */
const most = { returns: 200, layaways: 200, sessions: 200, schedules: 200, renewals: 50, bulks: 50 };

const noLimbo: Limbo = { returnIds: [], attempts: [] };

/**
 * Looks once at everything that can be left over. Each question goes by index; one that fails stops no other.
 *
 * It writes only what must not wait for anybody: mails about refunds that stay uncertain, once each, and the numbers of
 * orders in their receipts.
 */
async function findWork({
  orm,
  alarmAfterMinutes,
  log,
  clock,
}: Pick<ActivityDependencies, 'orm' | 'alarmAfterMinutes' | 'log' | 'clock'>): Promise<FoundWork> {
  const failed: string[] = [];
  const look = async <Found>(
    name: string,
    nothing: Found,
    find: (em: EntityManager) => Promise<Found>,
  ): Promise<Found> => {
    try {
      return await find(orm.em.fork());
    } catch (error) {
      log.warn({ part: name, error }, 'housekeeping could not look at a part; it looks again in a minute');
      failed.push(name);
      return nothing;
    }
  };
  const afterMinutes = alarmAfterMinutes;
  if (afterMinutes !== undefined) {
    await look('alarms', undefined, (em) => raiseAlarms(em, { afterMinutes }));
    await look('paused endpoints', undefined, raisePauseAlarms);
  }
  // Where nobody reads the feed, and no endpoint is on.
  await look('places of events', 0, givePlaces);
  await look('the feed', undefined, (em) => tellTroubles(em, log));
  const lostLink = (orderId: number, error: unknown) =>
    log.warn({ 'order.id': orderId, error }, 'the receipt of an order could not be linked');
  await look('receipts without an order', 0, (em) => linkLostReceipts(em, { failed: lostLink }));
  return {
    at: clock().getTime(),
    urgentMailIds: await look('urgent mails', [], findUrgentMails),
    ...(await look('interrupted work', noLimbo, findLimbo)),
    secondLooks: await look('second looks', [], findSecondLooks),
    unfollowedReturns: await look('returns', [], (em) => findUnfollowedReturns(em, { limit: most.returns })),
    overReturnIds: await look('ended returns', [], (em) => findOverButFollowed(em, { limit: most.returns })),
    layawayOrderIds: await look('layaways', [], (em) => findUnfollowed(em, { after: 0, limit: most.layaways })),
    sessionUuids: await look('register sessions', [], (em) => findForgottenSessions(em, { limit: most.sessions })),
    scheduleIds: await look('content schedules', [], (em) => findUnfollowedSchedules(em, { limit: most.schedules })),
    renewalIds: await look('content renewals', [], (em) => findUnfollowedRenewals(em, { limit: most.renewals })),
    bulkUuids: await look('bulks', [], (em) => findUnfollowedBulks(em, { limit: most.bulks })),
    endpointIds: await look('webhook endpoints', [], findUnfollowedEndpoints),
    owedNights: await look('nights', [], findOwedNights),
    mailIds: await look('mails', [], findWaitingMails),
    creditRefunds: await look('refunds to credit', [], findReservedRefunds),
    hasCreditWork: await look('credit', false, hasCreditWork),
    failed,
  };
}

/**
 * Paused and failing endpoints are on the operator's page, and mails tell of them: a line each minute would be noise.
 */
async function tellTroubles(em: EntityManager, log: Pick<Log, 'warn'>): Promise<undefined> {
  const state = await readFeedState(em);
  const troubles = feedTroubles(state).filter(({ kind }) => kind !== 'paused' && kind !== 'failing');
  if (troubles.length > 0) log.warn({ ...state, troubles }, 'events are late');
}

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;

/** Without Temporal, as in tests of the other activities. */
const nothingWoken: Woken = { counts: {}, failed: [] };
const nothingLost: LostRuns = { ended: 0, takenUp: 0 };

export const createHousekeepingActivities = (dependencies: ActivityDependencies) => {
  const { orm, batchOrm = orm, temporal, log, clock } = dependencies;
  const context = (client: NonNullable<typeof temporal>): ContextWake => ({
    temporal: client,
    taskQueue: activityInfo().taskQueue,
  });

  return {
    /** What no workflow continues. See `findWork`. */
    findWork: (): Promise<FoundWork> => findWork(dependencies),

    /** Starts the workflow of everything that was found. See `wakeWork`. */
    wakeWork: (found: FoundWork): Promise<Woken> =>
      temporal === undefined
        ? Promise.resolve(nothingWoken)
        : whileAlive(() => wakeWork({ ...context(temporal), orm, log }, found)),

    /** Takes up work whose workflow was ended from outside since then. See `takeUpLostRuns`. */
    takeUpLostRuns: ({ since }: { since?: string }): Promise<LostRuns> =>
      temporal === undefined
        ? Promise.resolve(nothingLost)
        : whileAlive(() => takeUpLostRuns({ ...context(temporal), em: batchOrm.em.fork(), since, now: clock() })),

    /** Compares the books with the workflows that run. See `compareRuns`. */
    compareRuns: (): Promise<Compared> =>
      temporal === undefined
        ? Promise.resolve({ lost: 0, left: 0 })
        : whileAlive(() => compareRuns({ ...context(temporal), em: batchOrm.em.fork() })),
  };
};
