import {
  findPendingReturns,
  markReturnDelivered,
  postponeLeg,
  type PendingReturn,
} from '../../db/credits/find-credit-work.ts';
import { findLostSpendings } from '../../db/credits/find-lost-spendings.ts';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import { findDuePoints } from '../../db/reward-points/find-due-points.ts';
import { settlePointsOfOrder } from '../../db/reward-points/settle-points-of-order.ts';
import type { CreditGiftFinding } from '../../providers/credits/credit-provider.ts';
import { giveInTime } from '../../providers/credits/give-reserved.ts';
import { giveUpSpendings } from '../../providers/credits/give-up-spendings.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type CreditActivities = ReturnType<typeof createCreditActivities>;

type Parts = Pick<ActivityDependencies, 'orm' | 'log'> & {
  providers: Pick<ActivityDependencies['providers'], 'credits'>;
};

/**
 * The credit part of a sweep. Each step is safe to repeat: providers know each refund by its key, and rows record
 * what is done. Only counts reach Temporal, because gift card codes are secrets.
 */
export const createCreditActivities = (parts: Parts) => ({
  /**
   * Tells outside providers what goes back to them: legs of credit memos and cancelled orders, under the key of the
   * leg; spendings of orders that were never saved, under the key of the spending. What a provider does not accept is
   * sent again by the next sweep.
   *
   * @returns how many were delivered or undone
   */
  async deliverCreditReturns(): Promise<number> {
    const silent = new Set<string>();
    let delivered = 0;
    for (const leg of await findPendingReturns(parts.orm.em.fork())) {
      if (silent.has(leg.providerCode)) continue;
      const outcome = await deliver(parts, leg);
      if (outcome === 'credited') delivered++;
      if (outcome === 'unknown') silent.add(leg.providerCode);
    }
    return delivered + (await undoLostSpendings(parts));
  },

  /** Books the points of paid and refunded orders. An order that cannot be booked does not delay the others. */
  async bookDuePoints(): Promise<number> {
    let booked = 0;
    for (const orderId of await findDuePoints(parts.orm.em.fork())) {
      try {
        await settlePointsOfOrder(parts.orm.em.fork(), orderId);
        booked++;
      } catch (error) {
        parts.log.error({ orderId, error }, 'the points of an order could not be booked');
      }
    }
    return booked;
  },
});

/** Callers have had time to send those orders again. */
async function undoLostSpendings({ orm, providers, log }: Parts): Promise<number> {
  const em = orm.em.fork();
  const lost = await findLostSpendings(em);
  const { undone } = await giveUpSpendings({ em, credits: providers.credits, log }, lost);
  return undone;
}

async function deliver({ orm, providers, log }: Parts, leg: PendingReturn): Promise<CreditGiftFinding['outcome']> {
  const em = orm.em.fork();
  const { creditReturnId, orderId, providerCode } = leg;
  const scope = await readCreditScopeOfOrder(em, orderId);
  const provider = providers.credits.named(providerCode);
  if (!scope || !provider) {
    log.error({ creditReturnId, orderId, provider: providerCode }, 'no provider takes a credit leg back');
    return 'unknown';
  }
  const finding = await giveInTime({ provider, gift: { ...leg, origin: 'spent' }, scope, log });
  if (finding.outcome === 'credited') {
    await markReturnDelivered(em, creditReturnId);
  } else {
    log.warn({ creditReturnId, orderId, provider: providerCode }, 'a credit leg was not taken back yet');
    await postponeLeg(em, creditReturnId);
  }
  return finding.outcome;
}
