import { allHandlersFinished, condition, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { MailActivities } from '../../activities/mails/mail-activities.ts';
import { makingPdf } from '../receipts/making-pdf.ts';
import { printingForMail, sendingMail } from '../support/activity-options.ts';
import { mailOutcomeUpdate, type MailInput, type MailOutcome } from './messages.ts';

/**
 * Sends one mail of the outbox, over a queue with slots of its own: a slow mail server never holds up a refund, and a
 * receipt, which is large and comes in crowds, never a short mail.
 *
 * One try; what the mail server does not take is due again later, and the sweep brings it. A receipt is printed first;
 * without a printer, or with one that fails, it goes without.
 *
 * @returns what became of it, for the Temporal page; the address and the text stay in the database
 */
export async function mailWorkflow({ mailId }: MailInput): Promise<string> {
  let outcome: MailOutcome | undefined;
  setHandler(mailOutcomeUpdate, async () => {
    await condition(() => outcome !== undefined);
    return outcome ?? unknown;
  });
  outcome = await send(mailId);
  await condition(allHandlersFinished);
  return outcome.state;
}

/** No worker took it, or the database was away: the row still says that it is due. */
const unknown: MailOutcome = { state: 'waiting' };

async function send(mailId: number): Promise<MailOutcome> {
  try {
    const first = await sending('render').sendMail({ mailId });
    if (first.state !== 'needs_pdf' || first.receiptId === undefined) return first;
    await print(first.receiptId);
    return await sending('receipts').sendMail({ mailId, isPdfTried: true });
  } catch {
    return unknown;
  }
}

const sending = (lane: 'render' | 'receipts') =>
  proxyActivities<MailActivities>({ ...sendingMail, taskQueue: `${workflowInfo().taskQueue}-${lane}` });

/** A receipt that cannot be printed, or not soon, goes out all the same, and says so. */
async function print(receiptId: number): Promise<void> {
  try {
    await makingPdf(printingForMail).makeReceiptPdf({ receiptId });
  } catch {
    return;
  }
}
