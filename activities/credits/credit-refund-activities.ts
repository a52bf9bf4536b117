import type { EntityManager } from '@mikro-orm/postgresql';
import { concludeCreditRefund } from '../../db/credits/conclude-credit-refund.ts';
import { creditRefundOf } from '../../db/credits/credit-refund.repository.ts';
import { reserveCreditRefund, type WantedCreditRefund } from '../../db/credits/reserve-credit-refund.ts';
import { openCreditWords } from '../../db/credits/sealed-credit-words.ts';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import { invalid, noSuchDocument } from '../../domain/errors.ts';
import { toWire } from '../../domain/money/amount.ts';
import { giveReserved } from '../../providers/credits/give-reserved.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';

/** A refund to credit as its workflow got it: a card's code and the reason are sealed. */
export interface SealedCreditRefund extends Pick<
  WantedCreditRefund,
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
  reserveCredit: ({ sealedWords, beginBefore, ...wanted }: SealedCreditRefund) =>
    orRefused(async () => {
      const em = orm.em.fork();
      const scope = await readCreditScopeOfOrder(em, wanted.orderId);
      if (!scope) throw noSuchDocument();
      if (!providers.credits.named(wanted.providerCode))
        throw invalid('No provider is installed for credit type %1.', [wanted.kind]);
      const { websiteId, baseCurrencyCode } = scope;
      const words = openCreditWords(providers.secrets, sealedWords);
      const { refundId } = await reserveCreditRefund(
        em,
        { ...wanted, ...words, websiteId, baseCurrencyCode },
        beginBefore,
      );
      return creditSeen(em, refundId);
    }),

  /** A refund to credit for its workflow. Reads only. */
  loadCredit: ({ refundId }: { refundId: number }) => creditSeen(orm.em.fork(), refundId),

  /**
   * Asks the provider for the reserved credit, and commits a clear answer before it returns. The provider gives it once,
   * however often it is asked: each time it gets the same key.
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
