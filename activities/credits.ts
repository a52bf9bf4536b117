import type { EntityManager } from '@mikro-orm/postgresql';
import { readCreditScopeOfOrder } from '../db/credit-stores/read-credit-scope.ts';
import {
  findLostSpendings,
  findPendingReturns,
  markReturnDelivered,
  postponeLeg,
  type PendingReturn,
} from '../db/credits/find-credit-work.ts';
import {
  concludeCreditRefund,
  creditRefundOf,
  openCreditWords,
  reserveCreditRefund,
  type RequestedCreditRefund,
} from '../db/credits/reserve-credit-refund.ts';
import { findDuePoints, settlePointsOfOrder } from '../db/reward-points/settle-points-of-order.ts';
import { noSuchDocument } from '../domain/errors.ts';
import { toWire } from '../domain/money.ts';
import { noProviderForType } from '../domain/refusals/money.ts';
import type { CreditGiftFinding } from '../providers/credits/credit-provider.ts';
import { giveInTime, giveReserved, giveUpSpendings } from '../providers/credits/give-up-spendings.ts';
import { orRefused, type ActivityDependencies } from './support.ts';

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

/** A refund to credit as its workflow got it: a card's code and the reason are sealed. */
export interface SealedCreditRefund extends Pick<
  RequestedCreditRefund,
  'orderId' | 'kind' | 'providerCode' | 'customerId' | 'amount'
> {
  requestKey: string;
  sealedWords: string;
  /** Until then it may begin, by the database's clock. */
  beginBefore: string;
}

/** What the provider was heard to say. `credited`: it gave the credit, and the books could not take it yet. */
export type CreditAnswer = 'booked' | 'failed' | 'credited' | 'unknown';

export type CreditRefundActivities = ReturnType<typeof createCreditRefundActivities>;

/** Refunds to credit that an outside provider keeps. Every step is safe to repeat. */
export const createCreditRefundActivities = ({ orm, providers, log }: ActivityDependencies) => ({
  /** Reserves the amount under the order lock. Idempotent by its request key: see `reserveCreditRefund`. */
  reserveCredit: ({ sealedWords, beginBefore, ...requested }: SealedCreditRefund) =>
    orRefused(async () => {
      const em = orm.em.fork();
      const scope = await readCreditScopeOfOrder(em, requested.orderId);
      if (!scope) throw noSuchDocument();
      if (!providers.credits.named(requested.providerCode)) throw noProviderForType([requested.kind]);
      const { websiteId, baseCurrencyCode } = scope;
      const words = openCreditWords(providers.secrets, sealedWords);
      const { refundId } = await reserveCreditRefund(
        em,
        { ...requested, ...words, websiteId, baseCurrencyCode },
        beginBefore,
      );
      return creditSeen(em, refundId);
    }),

  /** A refund to credit for its workflow. Reads only. */
  loadCredit: ({ refundId }: { refundId: number }) => creditSeen(orm.em.fork(), refundId),

  /**
   * Asks the provider for the reserved credit, and commits a clear answer before it returns. The provider gives it
   * once, however often it is asked: each time it gets the same key.
   */
  async giveCredit({ refundId }: { refundId: number }): Promise<CreditAnswer> {
    const em = orm.em.fork();
    const { refund } = await creditRefundOf(em, refundId);
    if (refund.state !== 'reserved') return refund.state;
    const { orderId, providerCode } = refund;
    const scope = await readCreditScopeOfOrder(em, orderId);
    const provider = providers.credits.named(providerCode);
    if (!scope || !provider) {
      log.error(
        { refundId, orderId, provider: providerCode },
        'no provider can be asked for a reserved refund to credit',
      );
      return 'unknown';
    }
    const finding = await giveReserved({ provider, refund, scope, log });
    if (finding.outcome === 'unknown') return 'unknown';
    if (finding.outcome === 'refused') {
      const { state } = await concludeCreditRefund(em, { refundId, state: 'failed', message: finding.message });
      return state === 'booked' ? 'booked' : 'failed';
    }
    try {
      await concludeCreditRefund(em, { ...finding, refundId, state: 'booked' });
      return 'booked';
    } catch (error) {
      log.error(
        { refundId, orderId, error },
        'a refund to credit was given and could not be booked; it stays reserved',
      );
      return 'credited';
    }
  },
});

/** What the pages of Temporal show of it: neither the card nor what was written. */
async function creditSeen(em: EntityManager, refundId: number) {
  const { refund, incrementId } = await creditRefundOf(em, refundId);
  const { state, kind, providerCode, amount, currencyCode } = refund;
  return { refundId, state, kind, providerCode, amount: toWire(amount), currencyCode, incrementId };
}
