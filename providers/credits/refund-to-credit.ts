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

/** A refund as credit instead of money (spec 4.6, 4.8): the owner, the amount, and the key of a repeat. */
export interface RefundToCredit {
  orderId: number;
  kind: CreditKind;
  /** Empty: the active provider of the kind. */
  providerCode: string;
  /** Null: the customer of the order. */
  customerId: number | null;
  /** Only for a gift card. */
  code: string | null;
  /** In the order's currency. */
  amount: Amount;
  reason: string;
  /** The same key for the same order is the same refund; null: each call is a new refund. At most 128 characters. */
  requestKey: string | null;
  /** The owner of the token; absent: the shop itself. */
  actor?: WalletActor;
}

/** A refund that was given, refused, or has an unknown outcome: then it stays reserved for the sweep. */
export type CreditRefundOutcome =
  | { outcome: 'credited'; refund: CreditRefundRow }
  | { outcome: 'refused' | 'unknown'; refund: CreditRefundRow; message: string };

export interface RefundToCreditParts {
  em: EntityManager;
  credits: Credits;
  log: Pick<Log, 'warn' | 'error'>;
}

/**
 * Refunds an amount to a credit balance: it is reserved under the order lock and committed, then the provider is
 * asked once with a separate key, then it is booked (spec 4.6). A credit memo must have refunded the money before.
 *
 * No lock is held while the provider is asked. When booking fails after the provider gave the credit, the refund is
 * still `credited`; its reservation keeps counting and the sweep books it. A repeat with a request key asks again
 * with the same key while the outcome is unknown, and otherwise gets what was booked.
 *
 * Refused with: 404 unknown order · 400 no provider for the kind, and as documented at `reserveCreditRefund`.
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

/** The credit is given. When our books cannot take it now, the answer is still not a failure (spec 4.6). */
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
