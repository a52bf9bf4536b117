import type { EntityManager } from '@mikro-orm/postgresql';
import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { namesOf, keepGatewayWord, type ClaimedCall } from '../../db/refunds/refund-intent.ts';
import { readKnownRefunds } from '../../db/refunds/read-known-refunds.ts';
import { databaseNow } from '../../db/support/database-now.ts';
import { recordFinding, type RecordFinding } from '../../db/verdicts/record-finding.ts';
import type { Recorded, RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { Deadline } from '../deadline.ts';
import type { Log } from '../log.ts';
import type { KnownRefund, PaymentGateway } from './payment-gateway.ts';

/**
 * Why a refund is held back after the database was restored from a backup; undefined where it may be sent (our
 * choice).
 *
 * Refunds since the backup are known to the gateway but not here, so the gateway is asked first for all refunds of
 * the payment. An unknown refund there stops this one, and so does a gateway that cannot tell. The attempt then ends
 * as failed, and a person must check.
 */
async function restoreObjection(
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
  'Nothing was sent: the books were restored from a backup, and the gateway made refunds of this payment that ' +
  'they do not have:';

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

const noGatewayToCall: RefundFinding = {
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_sent',
  message: 'No gateway is set up for the payment method any more.',
};

export interface Call {
  /** Undefined: none is set up any more. */
  gateway: PaymentGateway | undefined;
  claimed: ClaimedCall;
  /** By the clock of the process that claimed, from before the claim was sent. */
  deadline: Deadline;
}

export interface Context {
  em: EntityManager;
  log: Pick<Log, 'info' | 'error'>;
}

/**
 * Calls the gateway for an attempt that this process claimed, and commits a clear answer before it returns (spec 3.3).
 *
 * Call it once for each claim. What is not clear is kept as the gateway's word for the look-up: the attempt stays
 * `started`, and its call counts as over. It throws only where our own database fails; the claim then leaves a doubt
 * like any other.
 */
export async function callClaimed({ em, log }: Context, { gateway, claimed, deadline }: Call): Promise<Recorded> {
  const { attemptId } = claimed;
  const finding = (await restoreObjection(em.fork(), gateway, claimed)) ?? (await call({ gateway, claimed, deadline }));
  log.info(
    { 'attempt.id': attemptId, evidence: finding.evidence, outcome: finding.gatewayOutcome },
    'the gateway was asked to refund',
  );
  if (finding.evidence === 'unknown') {
    await keepGatewayWord(em.fork(), attemptId, finding);
    return { state: 'started' };
  }
  const recorded = await recordVerdict({ em, log }, { attemptId, finding, subject: claimed, isOwn: true });
  if (finding.evidence === 'refunded' && recorded.state === 'failed') {
    // Our booking came too late to stop it: the books do not have this money, and `pos verify` reports it.
    log.error({ 'attempt.id': attemptId }, 'the gateway refunded an attempt that had been given up');
  }
  return recorded;
}

const call = ({ gateway, claimed, deadline }: Call): Promise<RefundFinding> =>
  gateway === undefined
    ? Promise.resolve(noGatewayToCall)
    : gateway.refund({ ...claimed, ...namesOf(claimed), orderReference: claimed.orderIncrementId, deadline });

/** Commits a finding, weighed by the database's clock. Idempotent: see `recordFinding`. */
export const recordVerdict = async (
  { em, log }: Pick<Context, 'em'> & { log: Pick<Log, 'error'> },
  found: Pick<RecordFinding, 'attemptId' | 'finding' | 'subject' | 'isOwn'>,
): Promise<Recorded> =>
  recordFinding(em, {
    ...found,
    now: await databaseNow(em.fork()),
    whenUnbooked: (error) =>
      log.error({ 'attempt.id': found.attemptId, error }, 'the gateway refunded, and the books cannot take it'),
  });
