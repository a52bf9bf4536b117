import type { CreditRefundRow } from '../../db/credits/credit-refund.entity.ts';
import type { CreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import { creditRefundKey } from '../../db/credits/credit-refund-key.ts';
import type { Log } from '../log.ts';
import type { CreditGift, CreditGiftFinding, CreditProvider } from './credit-provider.ts';
import { inTime } from '../in-time.ts';

/** The timeout while a register waits: long enough for a slow service, short enough for a cashier. */
const giveTimeoutMs = 8_000;

export interface GiveReserved {
  provider: CreditProvider;
  refund: CreditRefundRow;
  scope: CreditScope;
  log: Pick<Log, 'warn'>;
  /** The owner of the token that asked for the refund. */
  actor?: WalletActor;
}

/** Asks the provider to give the reserved credit; never throws. An unclear answer is `unknown`. */
export const giveReserved = ({ provider, refund, scope, log, actor = {} }: GiveReserved): Promise<CreditGiftFinding> =>
  giveInTime({
    provider,
    scope,
    log,
    gift: {
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

/** The message to the cashier when the outcome is unknown: nothing more may be handed out for it. */
export const unknownEnd =
  'The provider did not say whether the credit was given. It is asked again automatically; do not pay it out in another way.';
