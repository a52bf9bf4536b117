import { defineUpdate } from '../support/definitions.ts';

export interface MailInput {
  mailId: number;
}

/** The outcome of a mail: its state, and as a code why it was not sent. */
export interface MailOutcome {
  state: string;
  reason?: string;
}

export const mailWorkflowId = (mailId: number) => `mail-${mailId}`;

/** Waits until the mail server answered, or until the outcome is known to be unknown. */
export const mailOutcomeUpdate = defineUpdate<MailOutcome, [object]>('outcome');
