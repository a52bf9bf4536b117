import type { CreditRefundRow } from '../../db/credits/credit-refund.entity.ts';
import type { CreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import { giftKeyOf } from '../../db/credits/gift-key-of.ts';
import type { Log } from '../log.ts';
import type { CreditGift, CreditGiftFinding, CreditProvider } from './credit-provider.ts';
import { inTime } from '../in-time.ts';

/** A register waits for it: longer than a careful service needs, shorter than a cashier's patience. */
const giveTimeoutMs = 8_000;

export interface GiveReserved {
  provider: CreditProvider;
  refund: CreditRefundRow;
  scope: CreditScope;
  log: Pick<Log, 'warn'>;
  /** Whose token asked for the refund. */
  actor?: WalletActor;
}

/** Asks the provider to give what is reserved; never throws: whatever it does not say is `unknown`. */
export const giveReserved = ({ provider, refund, scope, log, actor = {} }: GiveReserved): Promise<CreditGiftFinding> =>
  giveInTime({
    provider,
    scope,
    log,
    gift: {
      key: giftKeyOf(refund),
      orderId: refund.orderId,
      customerId: refund.customerId ?? null,
      websiteId: refund.websiteId,
      code: refund.code ?? null,
      baseAmount: refund.baseAmount,
      baseCurrencyCode: refund.baseCurrencyCode,
      points: null,
      reason: refund.reason,
      origin: 'new',
      actor,
    },
  });

export interface GiveInTime extends Omit<GiveReserved, 'refund' | 'actor'> {
  gift: CreditGift;
}

/** One call that ends by its deadline and never throws. */
export async function giveInTime({ provider, gift, scope, log }: GiveInTime): Promise<CreditGiftFinding> {
  const deadline = new Date(Date.now() + giveTimeoutMs);
  try {
    return await inTime(provider.give(gift, { scope, deadline }), deadline);
  } catch (error) {
    const { key, orderId } = gift;
    log.warn({ key, orderId, provider: provider.code, error }, 'a provider did not say whether it gave credit');
    return { outcome: 'unknown', message: 'The provider does not answer.' };
  }
}

/** What a cashier has to know of an end that nobody knows: nothing more may be handed out for it. */
export const unknownEnd =
  'The provider did not say whether the credit was given. It is asked again by itself; do not pay it out another way.';
