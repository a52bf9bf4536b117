import type { Outcome } from '../../domain/outcome.ts';
import type { RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import type { RefundResolution } from '../../domain/refunds/refund-finding.ts';
import { defineQuery, defineSignal, defineUpdate } from '../support/definitions.ts';

export interface RefundAttemptInput {
  attemptId: number;
}

export const reconcileUpdate = defineUpdate<RefundAttemptState, [null]>('reconcile');
export const resolveUpdate = defineUpdate<RefundAttemptState, [RefundResolution]>('resolve');
export const resolveSignal = defineSignal<[RefundResolution]>('resolve');
/** To the return that waits for its refund: the refund is decided. */
export const refundConcludedSignal = defineSignal('refundConcluded');
export const stateQuery = defineQuery<RefundAttemptState>('state');

/** The one run of a refund that a platform's route asked for. */
export const memoRefundId = (attemptId: number) => `memo-refund-${attemptId}`;

/** Waits until the refund is decided or in doubt. */
export const awaitRefundedUpdate = defineUpdate<Outcome<{ state: RefundAttemptState }>, [null]>('awaitRefunded');
