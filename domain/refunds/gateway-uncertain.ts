import { conflict } from '../errors.ts';
import type { RefundAttemptState } from './refund-attempt-state.ts';

export interface OpenQuestion {
  attemptId: number;
  state: RefundAttemptState;
  returnId: number | null;
}

/** 409: while the end of a refund is unknown, nothing else may be given back (spec 3.3, 4.8). */
export const gatewayUncertain = ({ attemptId, state, returnId }: OpenQuestion) =>
  conflict(
    'gateway_uncertain',
    'The gateway has not said whether the refund went through. Nothing is refunded until that is known.',
    { refund_attempt_id: attemptId, refund_attempt_state: state, return_id: returnId },
  );
