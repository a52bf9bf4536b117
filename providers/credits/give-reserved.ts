import { giveSeconds } from '../../domain/credits/give-time.ts';
import type { CreditRefundRow } from '../../db/credits/credit-refund.entity.ts';
import type { CreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import { creditRefundKey } from '../../db/credits/credit-refund-key.ts';
import type { Log } from '../log.ts';
import type { CreditGift, CreditGiftFinding, CreditProvider } from './credit-provider.ts';
import { inTime } from '../in-time.ts';

export interface GiveReserved {
  provider: CreditProvider;
  refund: CreditRefundRow;
  scope: CreditScope;
  log: Pick<Log, 'warn'>;
}

/** A reserved refund as its provider is asked for it: for ever under the same key. */
export const giftOf = (refund: CreditRefundRow, actor: WalletActor = {}): CreditGift => ({
  key: creditRefundKey(refund),
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
});

/** Asks the provider to give the reserved credit; never throws. An unclear answer is `unknown`. */
export const giveReserved = ({ refund, ...around }: GiveReserved): Promise<CreditGiftFinding> =>
  giveInTime({ ...around, gift: giftOf(refund) });

export interface GiveInTime extends Omit<GiveReserved, 'refund'> {
  gift: CreditGift;
}

/** One call that ends by its deadline and never throws. */
export async function giveInTime({ provider, gift, scope, log }: GiveInTime): Promise<CreditGiftFinding> {
  const deadline = new Date(Date.now() + giveSeconds * 1_000);
  try {
    return await inTime(provider.give(gift, { scope, deadline }), deadline);
  } catch (error) {
    const { key, orderId } = gift;
    log.warn({ key, orderId, provider: provider.code, error }, 'a provider did not say whether it gave credit');
    return { outcome: 'unknown', message: 'The provider does not answer.' };
  }
}
