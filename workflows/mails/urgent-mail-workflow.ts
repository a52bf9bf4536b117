import { proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { MailActivities } from '../../activities/mails/mail-activities.ts';
import { sendingUrgentMail } from '../support/activity-options.ts';
import type { MailInput } from './messages.ts';

/** An hour of tries at the widest pause: longer than any code lives. */
const mostTries = 120;

/**
 * Sends one mail that somebody stands and waits for, over a queue whose slots no other mail takes, and tries again every
 * few seconds until the mail is dead.
 *
 * @returns what became of it, for the Temporal page; what it says stays in the database, sealed
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
