import { defineUpdate } from '../support/definitions.ts';

export interface MailInput {
  mailId: number;
}

/** What became of a mail: its state, and why it did not go out, as a code. */
export interface MailOutcome {
  state: string;
  reason?: string;
}

export const mailWorkflowId = (mailId: number) => `mail-${mailId}`;

/** Waits until the mail server said yes or no, or it is known that nobody can say. */
export const mailOutcomeUpdate = defineUpdate<MailOutcome, [object]>('outcome');
