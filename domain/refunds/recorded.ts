import type { RefundAttemptState } from './refund-attempt-state.ts';

/** What a finding came to, once it is committed. */
export interface Recorded {
  state: RefundAttemptState;
  /** Set while "not refunded" cannot be believed yet: ask again, or act on a person's word, after so many seconds. */
  waitSeconds?: number;
  /** Why a refund that went through is not booked: that is the question then. */
  message?: string;
  /** The gateway itself said that it did. */
  isUnbooked?: true;
  /** A mail to the customer that was put into the outbox with the memo. */
  mailId?: number;
}
