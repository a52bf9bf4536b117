import type { RefundAttemptState } from './refund-attempt-state.ts';

/** The result of a finding, once it is committed. */
export interface Recorded {
  state: RefundAttemptState;
  /**
   * Set while "not refunded" is too early to believe: after so many seconds ask again, or apply an operator's answer.
   */
  waitSeconds?: number;
  /** Why it failed; or why a completed refund could not be booked: an operator must resolve it. */
  message?: string;
  /** The gateway itself reported the refund. */
  isUnbooked?: true;
  /** Nobody waited for it any more, so the gateway was not called. */
  isLate?: true;
  /** The worker that took it is stopping, and called nothing: another one takes it. */
  isHandedOn?: true;
  /** The id of the mail to the customer, which was put into the outbox with the memo. */
  mailId?: number;
}
