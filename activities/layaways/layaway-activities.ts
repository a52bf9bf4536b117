import { cancelLayaway, type LayawayToEnd } from '../../db/layaways/cancel-layaway.ts';
import { capturePayment, type LayawayPayment } from '../../db/layaways/capture-payment.ts';
import { findFinishedLately, findUnfollowed, type LayawayPage } from '../../db/layaways/find-unfollowed.ts';
import { flagStale, flagStaleBatch } from '../../db/layaways/flag-stale.ts';
import { followLayaway, lookAtLayaway } from '../../db/layaways/follow-layaway.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';

export type LayawayActivities = ReturnType<typeof createLayawayActivities>;

export const createLayawayActivities = ({
  orm,
  batchOrm = orm,
  log,
}: Pick<ActivityDependencies, 'orm' | 'batchOrm' | 'log'>) => ({
  /** A layaway for its workflow, which has taken it up with this. A repeat only reads. */
  followLayaway: ({ orderId }: { orderId: number }) => orRefused(() => followLayaway(orm.em.fork(), orderId)),

  /** A layaway as it stands. Reads only. */
  lookAtLayaway: ({ orderId }: { orderId: number }) => orRefused(() => lookAtLayaway(orm.em.fork(), orderId)),

  /** One payment, once per reference and per request; answers how the layaway stands then. See `capturePayment`. */
  capturePayment: (payment: LayawayPayment) =>
    orRefused(async () => {
      await capturePayment(orm.em, payment);
      return lookAtLayaway(orm.em.fork(), payment.orderId);
    }),

  /** Memo, credits, invoice and order; answers how the layaway stands then. See `cancelLayaway`. */
  cancelLayaway: (wanted: LayawayToEnd) =>
    orRefused(async () => {
      const { orderNotCancelled } = await cancelLayaway(orm.em, wanted);
      if (orderNotCancelled !== undefined)
        log.error(
          { 'order.id': wanted.orderId, error: orderNotCancelled },
          'a layaway was cancelled, but its order could not be',
        );
      return lookAtLayaway(orm.em.fork(), wanted.orderId);
    }),

  /** Flags an overdue layaway; one that is not, or not open, is left alone. */
  flagStale: ({ orderId }: { orderId: number }) => flagStale(orm.em.fork(), orderId),

  /** Flags the next overdue layaways; answers whose workflows have to hear of it. A repeat flags none twice. */
  flagStaleBatch: (page: LayawayPage) => flagStaleBatch(batchOrm.em.fork(), page),

  /** Layaways no workflow has taken up. Reads only. */
  findUnfollowed: (page: LayawayPage) => findUnfollowed(batchOrm.em.fork(), page),

  /** Layaways that ended lately, perhaps without their workflow hearing of it. Reads only. */
  findFinishedLately: (page: LayawayPage) => findFinishedLately(batchOrm.em.fork(), page),
});
