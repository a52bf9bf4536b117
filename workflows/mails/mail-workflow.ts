import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { MailActivities } from '../../activities/mails/mail-activities.ts';
import { sendingMail } from '../support/activity-options.ts';
import type { MailInput } from './messages.ts';

/**
 * Sends one mail of the outbox, over a queue with slots of its own: a slow mail server never holds up a refund.
 *
 * One try; what the mail server does not take is due again later, and the sweep brings it.
 *
 * @returns what became of it, for the Temporal page; the address and the text stay in the database
 */
export async function mailWorkflow({ mailId }: MailInput): Promise<string> {
  const { sendMail } = proxyActivities<MailActivities>({
    ...sendingMail,
    taskQueue: `${workflowInfo().taskQueue}-render`,
  });
  try {
    return (await sendMail({ mailId })).state;
  } catch {
    // No worker took it, or the database was away: the row still says that it is due.
    return 'waiting';
  }
}
