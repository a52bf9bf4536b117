import type { RefundEvidence } from './refund-attempt-state.ts';

/** What somebody found out about the money: the gateway with its reference, or an operator with name and note. */
export interface RefundFinding {
  evidence: RefundEvidence;
  /** The gateway's own word: `approved`, `declined`, `not_found` … */
  gatewayOutcome?: string;
  gatewayReference?: string;
  message?: string;
  resolvedBy?: string;
  resolutionNote?: string;
  /** "Not refunded" that nothing can change any more: a recorded decline, or a call that provably never left. */
  isFinal?: boolean;
  /** A documented no to this very call: the gateway may repeat it to the same key for ever, so the next refund needs another. */
  endsIntent?: boolean;
  /** Refunded, but the books cannot take it: a question for a person, whatever else is known. */
  isUnbooked?: boolean;
}

/** The outcome of a call that was answered with the no of an earlier one: it says nothing about the money now. */
export const repeatedRefusal = 'repeated_refusal';

/** The gateway said that it refunded, and the books could not take it. */
export const refundedUnbooked = 'refunded_unbooked';

/** Words that stay on record until the money is booked, whatever a look-up says later. */
export const isLastingWord = (gatewayOutcome: string | null | undefined) =>
  gatewayOutcome === repeatedRefusal || gatewayOutcome === refundedUnbooked;

/** An operator's word, in the words of the resolve route (spec 4.8). */
export interface RefundResolution {
  resolution: 'refunded' | 'not_refunded';
  staffName: string;
  note: string;
}

/** For words that come past zod: a signal from the Temporal UI can carry anything. */
export const isResolution = (given: Partial<RefundResolution> | undefined | null): given is RefundResolution =>
  (given?.resolution === 'refunded' || given?.resolution === 'not_refunded') &&
  isShortText(given.staffName, 255) &&
  given.staffName.trim() !== '' &&
  (given.note === undefined || isShortText(given.note, 4_000));

const isShortText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest;

export const findingOf = ({ resolution, staffName, note }: RefundResolution): RefundFinding => ({
  evidence: resolution,
  resolvedBy: staffName,
  resolutionNote: note ?? '',
});

/**
 * How long after its deadline a call may still reach the gateway: clocks that differ, packets on their way. Before that,
 * "not refunded" is not believed; "refunded" always is.
 */
export const settlingSeconds = 5;

/** What is known of an attempt's call when a finding is weighed. */
export interface CallTimes {
  /** When the call ends at the latest; null when it was never claimed. */
  callDeadline: Date | null;
  /** When a look-up first knew of no such refund; null when none did. */
  firstNotFoundAt: Date | null;
}

/** Nobody claimed the call, so nobody can have made it. */
const neverSent: RefundFinding = {
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_sent',
  message: 'The gateway was not called.',
};

/** What nobody can say of a call that was never made is a no (spec 3.3 "gateway not called"). */
export const withoutDoubt = (finding: RefundFinding, { callDeadline }: CallTimes): RefundFinding =>
  finding.evidence === 'unknown' && finding.isUnbooked !== true && callDeadline === null ? neverSent : finding;

/** A gateway that once said yes and then knows of nothing leaves a question; only a person can say that it was a no. */
export const withoutContradiction = (
  finding: RefundFinding,
  gatewayOutcome: string | null | undefined,
): RefundFinding =>
  finding.evidence === 'not_refunded' && finding.resolvedBy === undefined && gatewayOutcome === refundedUnbooked
    ? { evidence: 'unknown' }
    : finding;

/** A look-up that knows of no refund, and could know of one in a moment: processors are late, and some say no first. */
export const isNotFound = ({ evidence, isFinal, resolvedBy }: RefundFinding) =>
  evidence === 'not_refunded' && isFinal !== true && resolvedBy === undefined;

/**
 * The evidence a finding is worth at a moment (spec 3.3).
 *
 * "Not refunded" counts at once when it is on record as a decline or the call was never claimed. Otherwise the call has
 * to be surely over, and a look-up's no counts only when an earlier look-up, some seconds before, had said no as well.
 */
export function weigh(finding: RefundFinding, times: CallTimes, now: Date): RefundEvidence {
  const from = believableFrom(finding, times);
  if (finding.evidence !== 'not_refunded' || from === undefined) return finding.evidence;
  return now.getTime() >= from.getTime() ? 'not_refunded' : 'unknown';
}

/** From when on such a "not refunded" is believed; undefined when at once. */
export function believableFrom(finding: RefundFinding, { callDeadline, firstNotFoundAt }: CallTimes): Date | undefined {
  if (finding.isFinal === true || callDeadline === null) return undefined;
  const isOver = later(callDeadline);
  if (!isNotFound(finding)) return isOver;
  const isConfirmed = firstNotFoundAt === null ? never : later(firstNotFoundAt);
  return isOver.getTime() >= isConfirmed.getTime() ? isOver : isConfirmed;
}

const later = (moment: Date) => new Date(moment.getTime() + settlingSeconds * 1000);
const never = new Date(8.64e15);
