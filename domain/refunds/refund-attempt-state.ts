/** Refund attempt states and their only transitions (spec 3.3). Pure: no clock, no database, no gateway. */

export const refundAttemptStates = ['started', 'uncertain', 'booked', 'failed'] as const;
export type RefundAttemptState = (typeof refundAttemptStates)[number];

export const refundEvidences = ['refunded', 'not_refunded', 'unknown'] as const;
export type RefundEvidence = (typeof refundEvidences)[number];

const becomes: Record<RefundEvidence, RefundAttemptState> = {
  refunded: 'booked',
  not_refunded: 'failed',
  unknown: 'uncertain',
};

export const isDecided = (state: RefundAttemptState) => state === 'booked' || state === 'failed';

/** A decided attempt stays decided, whatever arrives later. */
export function nextState(state: RefundAttemptState, evidence: RefundEvidence): RefundAttemptState {
  return isDecided(state) ? state : becomes[evidence];
}
