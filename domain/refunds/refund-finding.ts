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
}

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
  (given.note === undefined || isShortText(given.note, 4_000));

const isShortText = (value: unknown, longest: number) => typeof value === 'string' && value.length <= longest;

export const findingOf = ({ resolution, staffName, note }: RefundResolution): RefundFinding => ({
  evidence: resolution,
  resolvedBy: staffName,
  resolutionNote: note ?? '',
});

/**
 * How long after its deadline a call may still reach the gateway: clocks that differ, packets on their way. Before
 * that, "not refunded" is not believed; "refunded" always is.
 */
export const settlingSeconds = 5;

/**
 * The evidence a finding is worth at a moment (spec 3.3).
 *
 * @param callDeadline when the call of the attempt ends at the latest; null when it was never claimed
 */
export function weigh(finding: RefundFinding, callDeadline: Date | null, now: Date): RefundEvidence {
  if (finding.evidence !== 'not_refunded' || finding.isFinal === true || callDeadline === null) return finding.evidence;
  return now.getTime() >= believableFrom(callDeadline).getTime() ? 'not_refunded' : 'unknown';
}

/** From when on "not refunded" is believed. */
export const believableFrom = (callDeadline: Date) => new Date(callDeadline.getTime() + settlingSeconds * 1000);
