import { proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { MailActivities } from '../../activities/mails/mail-activities.ts';
import { sendingUrgentMail } from '../support/activity-options.ts';
import type { MailInput } from './messages.ts';

/** An hour of tries at the longest pause: no code lives longer. */
const mostTries = 120;

/**
 * Sends one mail that a customer waits for, over a queue that no other mail uses. It tries again every few seconds
 * until the mail is too old.
 *
 * @returns the outcome, for the Temporal page; the text stays in the database, sealed
 */
export async function urgentMailWorkflow({ mailId }: MailInput): Promise<string> {
  const { sendMail } = proxyActivities<MailActivities>({
    ...sendingUrgentMail,
    taskQueue: `${workflowInfo().taskQueue}-urgent`,
  });
  for (let tries = 0; tries < mostTries; tries++) {
    const { state, againInSeconds } = await sendMail({ mailId });
    if (state !== 'waiting' || againInSeconds === undefined) return state;
    await sleep(`${againInSeconds} seconds`);
  }
  return 'waiting';
}
