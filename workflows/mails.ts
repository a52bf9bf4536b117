import {
  allHandlersFinished,
  condition,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { MailActivities } from '../activities/mails.ts';
import type { ReceiptActivities } from '../activities/receipts.ts';
import { pdfPatienceSeconds } from '../domain/mails/letters.ts';
import type { PdfOutcome } from '../domain/receipts/receipt-view.ts';
import {
  mailOutcomeUpdate,
  mailWorkflowId,
  pdfUpdate,
  type MailInput,
  type MailOutcome,
  type ReceiptPdfInput,
} from './messages.ts';
import {
  printingForMail,
  printingPdf,
  sendingMail,
  sendingUrgentMail,
  startDetached,
  staysWithItsBuild,
} from './support/activity-options.ts';

/** The activities of the browser's own queue: a mail never waits for a PDF. */
const makingPdf = (options: ActivityOptions = printingPdf) =>
  proxyActivities<ReceiptActivities>({ ...options, taskQueue: `${workflowInfo().taskQueue}-pdf` });

/**
 * Sends one mail of the outbox, over a queue with its own slots. So a slow mail server never delays a refund, and
 * large receipts never delay a short mail.
 *
 * It tries once; a refused mail becomes due again later, and the sweep starts it. A receipt is printed first, and its
 * mail waits ten minutes for that. When printing is impossible or takes longer, the mail goes without the PDF.
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

/**
 * Starts a workflow that sends a mail of the outbox. It outlives this workflow, which does not wait for it.
 *
 * Called only with a mail id from an activity's result. Histories older than this feature have no such id, so they
 * replay without a command here.
 */
export async function postMail(mailId: number | undefined): Promise<void> {
  if (mailId !== undefined) await start('mailWorkflow', mailId);
}

/** The same for a mail that a customer waits for at the kiosk. */
export const postUrgentMail = (mailId: number): Promise<void> => start('urgentMailWorkflow', mailId);

async function start(workflow: 'mailWorkflow' | 'urgentMailWorkflow', mailId: number): Promise<void> {
  await startDetached<typeof mailWorkflow | typeof urgentMailWorkflow>(workflow, {
    workflowId: mailWorkflowId(mailId),
    args: [{ mailId }],
    staticSummary: `Mail ${mailId}`,
  });
}

/**
 * Makes the PDF of one receipt for all requests that arrive while it runs; the PDF stays in the database.
 *
 * @returns the outcome, for the Temporal page
 */
export async function receiptPdfWorkflow({ receiptId }: ReceiptPdfInput): Promise<PdfOutcome> {
  let outcome: PdfOutcome | undefined;
  setHandler(pdfUpdate, async () => {
    await condition(() => outcome !== undefined);
    return outcome ?? 'too_much';
  });
  outcome = await makingPdf().makeReceiptPdf({ receiptId });
  await condition(allHandlersFinished);
  return outcome;
}

for (const workflow of [mailWorkflow, urgentMailWorkflow, receiptPdfWorkflow]) staysWithItsBuild(workflow);
