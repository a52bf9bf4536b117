import type { EntityManager } from '@mikro-orm/postgresql';
import { findUnfollowedBulks } from '../../db/bulk/take-operation.ts';
import { findUnfollowedRenewals } from '../../db/content/content-renewals.ts';
import { findUnfollowedSchedules } from '../../db/content/read-schedules.ts';
import { findReservedRefunds, hasCreditWork, type ReservedRefund } from '../../db/credits/find-credit-work.ts';
import { findUnfollowedEndpoints } from '../../db/events/deliveries.ts';
import { givePlaces } from '../../db/events/outbox.ts';
import { findUnfollowed } from '../../db/layaways/find-unfollowed.ts';
import { findUrgentMails, findWaitingMails } from '../../db/mails/find-waiting-mails.ts';
import { raiseAlarms, raisePauseAlarms } from '../../db/mails/raise-alarms.ts';
import { linkLostReceipts } from '../../db/receipts/link-lost-receipts.ts';
import { findLimbo, type Limbo } from '../../db/refunds/find-limbo.ts';
import { findOverButFollowed, findUnfollowedReturns, type ReturnToFollow } from '../../db/returns/followed.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

/** What one look found: work that no workflow continues. Ids only, and little of each: the next look finds the rest. */
export interface FoundWork extends Limbo {
  /** When it was looked for, in milliseconds. */
  at: number;
  urgentMailIds: number[];
  mailIds: number[];
  unfollowedReturns: ReturnToFollow[];
  /** Terminal returns whose workflow may not know it. */
  overReturnIds: number[];
  layawayOrderIds: number[];
  scheduleIds: number[];
  renewalIds: number[];
  bulkUuids: string[];
  /** Absent in histories from before there were any. */
  endpointIds?: number[];
  creditRefunds: ReservedRefund[];
  hasCreditWork: boolean;
  /** What could not be looked at; the worker's log says why. */
  failed: string[];
}

/** The most of each kind that one look takes. */
const most = { returns: 200, layaways: 200, schedules: 200, renewals: 50, bulks: 50 };

const noLimbo: Limbo = { returnIds: [], attempts: [] };

/**
 * Looks once at everything that can be left over. Each question goes by index; one that fails stops no other.
 *
 * It writes only what must not wait for anybody: mails about refunds that stay uncertain, once each, and the numbers of
 * orders in their receipts.
 */
export async function findWork({
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
  const lostLink = (orderId: number, error: unknown) =>
    log.warn({ 'order.id': orderId, error }, 'the receipt of an order could not be linked');
  await look('receipts without an order', 0, (em) => linkLostReceipts(em, { failed: lostLink }));
  return {
    at: clock().getTime(),
    urgentMailIds: await look('urgent mails', [], findUrgentMails),
    ...(await look('interrupted work', noLimbo, findLimbo)),
    unfollowedReturns: await look('returns', [], (em) => findUnfollowedReturns(em, { limit: most.returns })),
    overReturnIds: await look('ended returns', [], (em) => findOverButFollowed(em, { limit: most.returns })),
    layawayOrderIds: await look('layaways', [], (em) => findUnfollowed(em, { after: 0, limit: most.layaways })),
    scheduleIds: await look('content schedules', [], (em) => findUnfollowedSchedules(em, { limit: most.schedules })),
    renewalIds: await look('content renewals', [], (em) => findUnfollowedRenewals(em, { limit: most.renewals })),
    bulkUuids: await look('bulks', [], (em) => findUnfollowedBulks(em, { limit: most.bulks })),
    endpointIds: await look('webhook endpoints', [], findUnfollowedEndpoints),
    mailIds: await look('mails', [], findWaitingMails),
    creditRefunds: await look('refunds to credit', [], findReservedRefunds),
    hasCreditWork: await look('credit', false, hasCreditWork),
    failed,
  };
}
