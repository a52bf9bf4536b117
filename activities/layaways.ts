import { cancelLayaway, followLayaway, lookAtLayaway, type LayawayToEnd } from '../db/layaways/cancel-layaway.ts';
import { capturePayment, flagStale, flagStaleBatch, type LayawayPayment } from '../db/layaways/capture-payment.ts';
import { findFinishedLately, type LayawayPage } from '../db/layaways/find-unfollowed.ts';
import { reasonSealedFor } from '../domain/layaways.ts';
import { inTime, orRefused, type ActivityDependencies } from './support.ts';

type LayawayDependencies = Pick<ActivityDependencies, 'orm' | 'batchOrm' | 'log'> & {
  providers: Pick<ActivityDependencies['providers'], 'secrets'>;
};

/** A person's comment is sealed on its way: no such text is in Temporal. */
export type SealedCancellation = Omit<LayawayToEnd, 'reason'> & { sealedReason: string | null };

export type LayawayActivities = ReturnType<typeof createLayawayActivities>;

export const createLayawayActivities = ({ orm, batchOrm = orm, providers, log }: LayawayDependencies) => ({
  /** A layaway for its workflow; this also records that the workflow follows it. A repeat only reads. */
  followLayaway: ({ orderId }: { orderId: number }) => orRefused(() => followLayaway(orm.em.fork(), orderId)),

  /** The current state of a layaway. Reads only. */
  lookAtLayaway: ({ orderId }: { orderId: number }) => orRefused(() => lookAtLayaway(orm.em.fork(), orderId)),

  /** One payment, once per reference and per request; answers the layaway's new state. See `capturePayment`. */
  capturePayment: (payment: LayawayPayment) =>
    orRefused(async () => {
      await inTime(orm.em, payment.beginBefore, () => capturePayment(orm.em, payment));
      return lookAtLayaway(orm.em.fork(), payment.orderId);
    }),

  /** Memo, credits, invoice and order; answers the layaway's new state. See `cancelLayaway`. */
  cancelLayaway: ({ sealedReason, ...others }: SealedCancellation) =>
    orRefused(async () => {
      const reason = sealedReason === null ? null : providers.secrets.open(sealedReason, reasonSealedFor);
      const requested = { ...others, reason };
      const { orderNotCancelled } = await inTime(orm.em, requested.beginBefore, () => cancelLayaway(orm.em, requested));
      if (orderNotCancelled !== undefined)
        log.error(
          { 'order.id': requested.orderId, error: orderNotCancelled },
          'a layaway was cancelled, but its order could not be cancelled',
        );
      return lookAtLayaway(orm.em.fork(), requested.orderId);
    }),

  /** Flags an overdue layaway as stale; one that is not overdue or not open is unchanged. */
  flagStale: ({ orderId }: { orderId: number }) => flagStale(orm.em.fork(), orderId),

  /** Flags the next overdue layaways as stale; answers whose workflows must be signalled. A repeat flags none twice. */
  flagStaleBatch: (page: LayawayPage) => flagStaleBatch(batchOrm.em.fork(), page),

  /** Layaways that ended recently, whose workflows may not know it. Reads only. */
  findFinishedLately: (page: LayawayPage) => findFinishedLately(batchOrm.em.fork(), page),
});
