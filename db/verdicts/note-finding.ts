import type { Recorded } from '../../domain/refunds/recorded.ts';
import { isLastingWord, refundedUnbooked, type RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { AttemptRow } from '../refunds/refund-attempt.repository.ts';

/**
 * Stores the final finding of an attempt once its state is decided; a person's only once it counts.
 *
 * A gateway's yes that could not be booked stays, with its message, whatever later look-ups say.
 */
export function noteFinding(
  attempt: AttemptRow,
  finding: RefundFinding,
  { isConclusive }: { isConclusive: boolean },
): void {
  if (attempt.gatewayOutcome === refundedUnbooked) concludeUnbooked(attempt, finding);
  const isKept =
    isLastingWord(attempt.gatewayOutcome) && finding.evidence !== 'refunded' && finding.isUnbooked !== true;
  if (finding.gatewayOutcome !== undefined && !isKept) attempt.gatewayOutcome = finding.gatewayOutcome;
  const isSaid = attempt.gatewayOutcome === refundedUnbooked && finding.isUnbooked !== true;
  if (finding.message !== undefined && !isSaid) attempt.message = finding.message;
  if (finding.gatewayReference !== undefined) attempt.gatewayReference = finding.gatewayReference;
  if (!isConclusive || finding.resolvedBy === undefined) return;
  attempt.resolvedBy = finding.resolvedBy;
  attempt.resolutionNote = finding.resolutionNote ?? null;
}

/**
 * The reference stays with an attempt that was given up: the same yes for the next attempt is then a question again.
 */
function concludeUnbooked(attempt: AttemptRow, { resolvedBy }: RefundFinding): void {
  // The reason that kept it from being booked is gone.
  if (attempt.state === 'booked') Object.assign(attempt, { gatewayOutcome: null, message: null });
  if (attempt.state === 'failed')
    attempt.message = `${resolvedBy} said so, after the gateway had said that it refunded.`;
}

/** Why a completed refund is not booked, where that is the open question. */
export function whyUnbooked(
  { gatewayOutcome, message }: AttemptRow,
  { isUnbooked }: RefundFinding,
): Pick<Recorded, 'message' | 'isUnbooked'> {
  const isRefunded = gatewayOutcome === refundedUnbooked;
  if (message === null || !(isRefunded || isUnbooked === true)) return {};
  return { message, ...(isRefunded ? { isUnbooked: true } : {}) };
}
