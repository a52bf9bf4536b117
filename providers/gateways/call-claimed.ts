import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimedCall } from '../../db/refunds/claim-refund-call.ts';
import { keepGatewayWord } from '../../db/refunds/keep-gateway-word.ts';
import { namesOf } from '../../db/refunds/same-intent.ts';
import { databaseNow } from '../../db/support/database-now.ts';
import { recordFinding, type RecordFinding } from '../../db/verdicts/record-finding.ts';
import type { Recorded } from '../../domain/refunds/recorded.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { Deadline } from '../deadline.ts';
import type { Log } from '../log.ts';
import type { PaymentGateway } from './payment-gateway.ts';
import { restoreObjection } from './restore-objection.ts';

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

export interface Around {
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
export async function callClaimed({ em, log }: Around, { gateway, claimed, deadline }: Call): Promise<Recorded> {
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
  { em, log }: Pick<Around, 'em'> & { log: Pick<Log, 'error'> },
  found: Pick<RecordFinding, 'attemptId' | 'finding' | 'subject' | 'isOwn'>,
): Promise<Recorded> =>
  recordFinding(em, {
    ...found,
    now: await databaseNow(em.fork()),
    whenUnbooked: (error) =>
      log.error({ 'attempt.id': found.attemptId, error }, 'the gateway refunded, and the books cannot take it'),
  });
