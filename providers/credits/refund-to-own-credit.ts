import type { EntityManager } from '@mikro-orm/postgresql';
import { concludeCreditRefund } from '../../db/credits/conclude-credit-refund.ts';
import type { CreditRefundRow } from '../../db/credits/credit-refund.entity.ts';
import { reserveCreditRefund, type WantedCreditRefund } from '../../db/credits/reserve-credit-refund.ts';
import { joined, transact } from '../../db/support/transact.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import type { CreditProvider, OwnCredit } from './credit-provider.ts';
import { giftOf } from './give-reserved.ts';

/** A refund to credit that is kept in our own database. */
export interface RefundToOwnCredit {
  wanted: WantedCreditRefund;
  provider: OwnCredit;
  /** The owner of the token. */
  actor: WalletActor;
}

/** Whether the credit is in our own database: then no call leaves this process. */
export const isOwnCredit = (provider: CreditProvider): provider is OwnCredit => provider.giveWithin !== undefined;

/**
 * Refunds an amount to a balance in our own database: reserved, given and booked in one transaction under the order lock
 * (spec 4.6). Nothing outside is asked, so nothing is ever left half done.
 *
 * A repeat with a request key gets what was booked. Refused as `reserveCreditRefund`, and as the store says.
 */
export const refundToOwnCredit = (
  em: EntityManager,
  { wanted, provider, actor }: RefundToOwnCredit,
): Promise<CreditRefundRow> =>
  transact(em, async (tx) => {
    const whole = joined(tx);
    const refund = await reserveCreditRefund(whole, wanted);
    if (refund.state !== 'reserved') return refund;
    const given = await provider.giveWithin(tx, giftOf(refund, actor));
    return concludeCreditRefund(whole, { refundId: refund.refundId, state: 'booked', ...given });
  });
