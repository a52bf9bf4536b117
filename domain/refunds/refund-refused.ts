import type { Refusal } from '../errors.ts';

/** A refund that did not go through, with the reason that its attempt keeps. */
export interface UndoneRefund {
  attemptId: number;
  /** Null for goods refunded without a return. */
  returnId: number | null;
  message: string | null;
}

/** 400: the gateway said no, or was not called; nothing was given back (spec 4.8). */
export const refundRefused = ({ attemptId, returnId, message }: UndoneRefund): Refusal => ({
  status: 400,
  message: `The refund did not go through: ${message ?? 'the gateway refused it.'}`,
  parameters: {
    outcome: 'gateway_refused',
    refund_attempt_id: attemptId,
    refund_attempt_state: 'failed',
    return_id: returnId,
  },
});
