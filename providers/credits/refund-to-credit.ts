import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditRefundRow } from '../../db/credits/credit-refund.entity.ts';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import { concludeCreditRefund, reserveCreditRefund } from '../../db/credits/reserve-credit-refund.ts';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import { invalid, noSuchDocument } from '../../domain/errors.ts';
import type { Amount } from '../../domain/money/amount.ts';
import type { Log } from '../log.ts';
import { giveReserved, unknownEnd } from './give-reserved.ts';
import type { CreditProvider } from './credit-provider.ts';
import type { Credits } from './credits.ts';

/** Credit instead of money (spec 4.6, 4.8): to whom, how much, and what makes a repeat the same. */
export interface RefundToCredit {
  orderId: number;
  kind: CreditKind;
  /** Empty: the active provider of the kind. */
  providerCode: string;
  /** Null: whoever placed the order. */
  customerId: number | null;
  /** Of a gift card. */
  code: string | null;
  /** In the order's currency. */
  amount: Amount;
  reason: string;
  /** The same key for the same order is the same refund; null: each call is one of its own. At most 128 characters. */
  requestKey: string | null;
  /** Whose token asked for it; absent: the shop itself. */
  actor?: WalletActor;
}

/** A refund that went, one the provider refused, or one nobody knows the end of: it stays reserved for the sweep. */
export type CreditRefundOutcome =
  | { outcome: 'credited'; refund: CreditRefundRow }
  | { outcome: 'refused' | 'unknown'; refund: CreditRefundRow; message: string };

export interface RefundToCreditParts {
  em: EntityManager;
  credits: Credits;
  log: Pick<Log, 'warn' | 'error'>;
}

/**
 * Refunds an amount to a credit balance: reserved under the order lock and committed, then the provider is asked once
 * with a key of its own, then booked (spec 4.6). The money itself must be refunded before, by a credit memo.
 *
 * Nothing is held while the provider is asked. When booking fails after the provider gave, the refund is `credited` all
 * the same and its reservation goes on to count; the sweep books it. A repeat with a request key asks again with the same
 * key where the end is not known, and is answered what was booked where it is.
 *
 * Refused with: 404 unknown order · 400 no provider for the kind, and as `reserveCreditRefund` says.
 */
export async function refundToCredit(
  { em, credits, log }: RefundToCreditParts,
  { actor = {}, ...wanted }: RefundToCredit,
): Promise<CreditRefundOutcome> {
  const scope = await readCreditScopeOfOrder(em, wanted.orderId);
  if (!scope) throw noSuchDocument();
  const provider = providerFor(credits.enabled(scope.settings), wanted);
  const refund = await reserveCreditRefund(em, {
    ...wanted,
    providerCode: provider.code,
    websiteId: scope.websiteId,
    baseCurrencyCode: scope.baseCurrencyCode,
  });
  if (refund.state === 'booked') return { outcome: 'credited', refund };
  if (refund.state === 'failed') return { outcome: 'refused', refund, message: refund.message ?? 'It was refused.' };
  const finding = await giveReserved({ provider, refund, scope, log, actor });
  if (finding.outcome === 'unknown') return { outcome: 'unknown', refund, message: unknownEnd };
  if (finding.outcome === 'credited') return { outcome: 'credited', refund: await book(em, refund, finding, log) };
  const { refundId } = refund;
  const failed = await concludeCreditRefund(em, { refundId, state: 'failed', message: finding.message });
  return { outcome: 'refused', refund: failed, message: finding.message };
}

function providerFor(enabled: readonly CreditProvider[], { kind, providerCode }: RefundToCredit): CreditProvider {
  const provider = enabled.find((one) => one.kind === kind && (providerCode === '' || one.code === providerCode));
  if (!provider) throw invalid('No provider is installed for credit type %1.', [kind]);
  return provider;
}

/** The money is given: that our books do not take it is ours to mend, and no reason to say that it failed (spec 4.6). */
async function book(
  em: EntityManager,
  refund: CreditRefundRow,
  { transactionId, remainingBalance }: { transactionId: string; remainingBalance: Amount | null },
  log: Pick<Log, 'error'>,
): Promise<CreditRefundRow> {
  const { refundId, orderId } = refund;
  try {
    return await concludeCreditRefund(em, { refundId, state: 'booked', transactionId, remainingBalance });
  } catch (error) {
    log.error({ refundId, orderId, error }, 'a refund to credit was given and could not be booked; it stays reserved');
    return Object.assign(refund, { transactionId, remainingBalance });
  }
}
