import { DriverException, type EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { refundedUnbooked, type RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { troubleOf } from '../support/connections/database-trouble.ts';
import { integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';

/** Money went back and cannot be booked, now or later. Its cause is the reason. */
export class Unbookable extends Error {
  constructor(cause: unknown) {
    super('a refund that went through cannot be booked', { cause });
    this.name = 'Unbookable';
  }
}

/** PostgreSQL's error classes that a retry would meet again: values, constraints, names, our own triggers. */
const lasting: readonly string[] = ['21', '22', '23', '42', 'P0'];

/**
 * Whether booking again would fail the same way: a refusal, a fault of the code, a rule of the database. Temporary
 * errors (a lost connection, a deadlock, a server shutdown) do not count, and are retried.
 */
export const isLasting = (error: unknown): boolean =>
  troubleOf(error) === undefined &&
  (!(error instanceof DriverException) || lasting.includes(error.code?.slice(0, 2) ?? ''));

/**
 * The finding that replaces "refunded" then: an open question for a person, with a message. It never records the
 * operator's answer, because that did not count.
 */
export async function unbookedFinding(
  em: EntityManager,
  { attemptId, finding, cause }: { attemptId: number; finding: RefundFinding; cause: unknown },
): Promise<RefundFinding> {
  const { gatewayReference, resolvedBy } = finding;
  const other = await holderOf(em, attemptId, gatewayReference);
  const who = resolvedBy === undefined ? 'The gateway refunded' : `${resolvedBy} said that the gateway refunded`;
  return {
    evidence: 'unknown',
    isUnbooked: true,
    message: `${who}, but ${other === undefined ? whyNot(cause) : `its reference "${gatewayReference}" is that of refund attempt ${other}.`}`,
    ...(resolvedBy === undefined ? { gatewayOutcome: refundedUnbooked } : {}),
    // A reference is stored once: with the attempt that had it first.
    ...(gatewayReference === undefined || other !== undefined ? {} : { gatewayReference }),
  };
}

/** A database error would name tables: that text is only logged. */
const whyNot = (cause: unknown) =>
  cause instanceof PosError
    ? `the credit memo was refused: ${inWords(cause.refusal)}`
    : `the credit memo could not be booked (${cause instanceof Error ? cause.name : 'fault'}). The log of the worker says why.`;

/** Checked first: a reference that is taken cannot be stored, and explains the most. */
const holder = statement({
  takes: { attemptId: integer, gatewayReference: text },
  gives: of(RefundAttempt, 'attemptId'),
  text: `
    select other.attempt_id from refund_attempt a join refund_attempt other on other.payment_method = a.payment_method
    where a.attempt_id = $attemptId and other.gateway_reference = $gatewayReference
      and other.attempt_id <> a.attempt_id`,
});

async function holderOf(em: EntityManager, attemptId: number, gatewayReference: string | undefined) {
  if (gatewayReference === undefined) return undefined;
  return (await holder.first(em.fork(), { attemptId, gatewayReference }))?.attemptId;
}
