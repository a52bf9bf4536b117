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
