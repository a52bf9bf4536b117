import type { Recorded } from '../../domain/refunds/recorded.ts';
import { isLastingWord, refundedUnbooked, type RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { RefundAttempt } from './refund-attempt.entity.ts';

/**
 * Keeps the last word said about an attempt, once its state is decided; a person's only once it counts.
 *
 * A yes of the gateway that could not be booked stands, with its sentence, against all that look-ups say later.
 */
export function noteFinding(
  attempt: RefundAttempt,
  finding: RefundFinding,
  { isConclusive }: { isConclusive: boolean },
): void {
  if (attempt.gatewayOutcome === refundedUnbooked) concludeUnbooked(attempt);
  const isKept = isLastingWord(attempt.gatewayOutcome) && finding.evidence !== 'refunded';
  if (finding.gatewayOutcome !== undefined && !isKept) attempt.gatewayOutcome = finding.gatewayOutcome;
  const isSaid = attempt.gatewayOutcome === refundedUnbooked && finding.isUnbooked !== true;
  if (finding.message !== undefined && !isSaid) attempt.message = finding.message;
  if (finding.gatewayReference !== undefined) attempt.gatewayReference = finding.gatewayReference;
  if (!isConclusive || finding.resolvedBy === undefined) return;
  attempt.resolvedBy = finding.resolvedBy;
  attempt.resolutionNote = finding.resolutionNote ?? null;
}

function concludeUnbooked(attempt: RefundAttempt): void {
  // What kept it from being booked does not any more.
  if (attempt.state === 'booked') Object.assign(attempt, { gatewayOutcome: null, message: null });
  // The refund that is asked for next is the same one to the gateway, which then tells the same reference.
  if (attempt.state === 'failed') attempt.gatewayReference = null;
}

/** Why a refund that went through is not booked, where that is the question. */
export function whyUnbooked(
  { gatewayOutcome, message }: RefundAttempt,
  { isUnbooked }: RefundFinding,
): Pick<Recorded, 'message' | 'isUnbooked'> {
  const isRefunded = gatewayOutcome === refundedUnbooked;
  if (message == null || !(isRefunded || isUnbooked === true)) return {};
  return { message, ...(isRefunded ? { isUnbooked: true } : {}) };
}
