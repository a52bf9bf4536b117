import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimedCall } from '../../db/refunds/claim-refund-call.ts';
import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { readKnownRefunds } from '../../db/refunds/read-known-refunds.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { KnownRefund, PaymentGateway } from '../../providers/gateways/payment-gateway.ts';

/**
 * Why a refund is not sent after the books were restored from a backup; undefined where it may go (our choice).
 *
 * What was refunded since the backup stands at the gateway and not here, so the gateway is asked first what it gave back
 * of the payment. A refund that the books do not have stops this one, and so does a gateway that cannot tell. The attempt
 * then ends as failed: a person has to look.
 */
export async function whyHeld(
  em: EntityManager,
  gateway: PaymentGateway | undefined,
  claimed: ClaimedCall,
): Promise<RefundFinding | undefined> {
  if (!claimed.isRestored || gateway === undefined || claimed.paymentReference === null) return undefined;
  if (gateway.refundsOf === undefined) return held(`${cannotTell} It keeps no list that could be asked for.`);
  const refunds = await gateway.refundsOf(claimed.paymentReference);
  if (refunds === undefined) return held(`${cannotTell} Try again in a moment.`);
  const missing = await missingIn(em, claimed, refunds);
  return missing.length === 0 ? undefined : held(`${missingHere} ${missing.map(inWords).join(', ')}.`);
}

const cannotTell =
  'Nothing was sent: the books were restored from a backup, and the gateway did not say what it gave back of this payment since.';
const missingHere =
  'Nothing was sent: the books were restored from a backup, and the gateway gave back of this payment what they do not have:';

const held = (message: string): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'restored_books',
  message,
});

/** Names more would fill a register's screen. */
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
