import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimedCall } from '../../db/refunds/claim-refund-call.ts';
import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { readKnownRefunds } from '../../db/refunds/read-known-refunds.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { KnownRefund, PaymentGateway } from './payment-gateway.ts';

/**
 * Why a refund is held back after the database was restored from a backup; undefined where it may be sent (our
 * choice).
 *
 * Refunds since the backup are known to the gateway but not here, so the gateway is asked first for all refunds of
 * the payment. An unknown refund there stops this one, and so does a gateway that cannot tell. The attempt then ends
 * as failed, and a person must check.
 */
export async function restoreObjection(
  em: EntityManager,
  gateway: PaymentGateway | undefined,
  claimed: ClaimedCall,
): Promise<RefundFinding | undefined> {
  if (!claimed.isRestored || gateway === undefined || claimed.paymentReference === null) return undefined;
  if (gateway.refundsOf === undefined) return held(`${cannotTell} It keeps no records to ask for.`);
  const refunds = await gateway.refundsOf(claimed.paymentReference);
  if (refunds === undefined) return held(`${cannotTell} Try again in a moment.`);
  const missing = await missingIn(em, claimed, refunds);
  return missing.length === 0 ? undefined : held(`${missingHere} ${missing.map(inWords).join(', ')}.`);
}

const cannotTell =
  'Nothing was sent: the books were restored from a backup, and the gateway did not list its refunds of this payment.';
const missingHere =
  'Nothing was sent: the books were restored from a backup, and the gateway made refunds of this payment that they do not have:';

const held = (message: string): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'restored_books',
  message,
});

/** More names would fill a register's screen. */
const mostNamed = 3;

async function missingIn(
  em: EntityManager,
  { orderId }: ClaimedCall,
  refunds: readonly KnownRefund[],
): Promise<KnownRefund[]> {
  const known = await readKnownRefunds(em, orderId);
  const references = new Set(known.attempts.map(merchantReference));
  return refunds
    .filter((refund) => !known.gatewayReferences.includes(refund.gatewayReference))
    .filter((refund) => !references.has(refund.merchantReference ?? ''))
    .slice(0, mostNamed);
}

const inWords = ({ amountText, gatewayReference }: KnownRefund) => `${amountText} as "${gatewayReference}"`;
