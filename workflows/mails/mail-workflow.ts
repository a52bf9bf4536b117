import { allHandlersFinished, condition, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import { pdfPatienceSeconds } from '../../domain/mails/mail-life.ts';
import type { MailActivities } from '../../activities/mails/mail-activities.ts';
import { makingPdf } from '../receipts/making-pdf.ts';
import { printingForMail, sendingMail } from '../support/activity-options.ts';
import { mailOutcomeUpdate, type MailInput, type MailOutcome } from './messages.ts';

/**
 * Sends one mail of the outbox, over a queue with its own slots. So a slow mail server never delays a refund, and
 * large receipts never delay a short mail.
 *
 * It tries once; a refused mail becomes due again later, and the sweep starts it. A receipt is printed first, and its mail
 * waits ten minutes for that. When printing is impossible or takes longer, the mail goes without the PDF.
 *
 * @returns the outcome, for the Temporal page; address and text stay in the database
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

/** No worker took it, or the database was away: its row is still due. */
const unknown: MailOutcome = { state: 'waiting' };

async function send(mailId: number): Promise<MailOutcome> {
  try {
    const first = await sending('render').sendMail({ mailId });
    if (first.state !== 'needs_pdf' || first.receiptId === undefined) return first;
    await print(first.receiptId, first.pdfWithinSeconds);
    return await sending('receipts').sendMail({ mailId, isPdfTried: true });
  } catch {
    return unknown;
  }
}

const sending = (lane: 'render' | 'receipts') =>
  proxyActivities<MailActivities>({ ...sendingMail, taskQueue: `${workflowInfo().taskQueue}-${lane}` });

/** A receipt that cannot be printed in time is sent without its PDF and says so. */
async function print(receiptId: number, withinSeconds = pdfPatienceSeconds): Promise<void> {
  if (withinSeconds <= 0) return;
  try {
    const scheduleToCloseTimeout = `${withinSeconds} seconds` as const;
    await makingPdf({ ...printingForMail, scheduleToCloseTimeout }).makeReceiptPdf({ receiptId });
  } catch {
    return;
  }
}
