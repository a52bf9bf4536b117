import { proxyActivities } from '@temporalio/workflow';
import type { CreditActivities } from '../../activities/credits/credit-activities.ts';
import type { RepairActivities } from '../../activities/repair/repair-activities.ts';
import { postMail, postUrgentMail } from '../mails/post-mail.ts';
import { wakeCreditRefunds } from '../credits/wake-credit-refunds.ts';
import { wakeProcess } from '../process/wake-process.ts';
import { followAttempt } from '../refunds/follow-attempt.ts';
import { wakeMemoRefund } from '../refunds/wake-memo-refund.ts';
import { refreshSignal } from '../returns/messages.ts';
import { returnId } from '../support/return-id.ts';
import type { returnWorkflow } from '../returns/return-workflow.ts';
import { mustHappen, sweeping } from '../support/activity-options.ts';
import { signalIfRunning, startDetached } from '../support/start-detached.ts';

const { findLimbo } = proxyActivities<RepairActivities>(mustHappen);
const { deliverCreditReturns, bookDuePoints } = proxyActivities<CreditActivities>(sweeping);

/**
 * Each minute: finds work that a crash or a terminate interrupted and that no workflow continues, and starts its
 * workflow again.
 *
 * It only signals or starts; work already in progress is not harmed.
 *
 * @returns how many workflows were woken, for the Temporal page
 */
export async function repairLimbo(): Promise<{ returns: number; attempts: number; runs: number; mails: number }> {
  // Older histories have no such fields in their result.
  const found = await findLimbo();
  const {
    returnIds,
    attempts,
    memoRefunds = [],
    processes = [],
    urgentMailIds = [],
    mailIds = [],
    hasCreditWork = false,
  } = found;
  // First, because a customer waits at a kiosk.
  for (const mailId of urgentMailIds) await postUrgentMail(mailId);
  for (const rmaId of returnIds) await wakeReturn(rmaId);
  for (const { attemptId, orderId } of attempts) {
    await followAttempt({ attemptId, orderId, summary: `Uncertain refund ${attemptId}, started again` });
  }
  for (const memoRefund of memoRefunds) await wakeMemoRefund(memoRefund);
  for (const process of processes) await wakeProcess(process);
  for (const mailId of mailIds) await postMail(mailId);
  // Last, because a slow provider then delays nothing else.
  if (hasCreditWork) await settleCredit();
  const mails = urgentMailIds.length + mailIds.length;
  return { returns: returnIds.length, attempts: attempts.length, runs: processes.length, mails };
}

/** Points first: they need no outside service. The next sweep finds what cannot be done now. */
async function settleCredit(): Promise<void> {
  await bookDuePoints();
  await deliverCreditReturns();
  await wakeCreditRefunds();
}

async function wakeReturn(rmaId: number): Promise<void> {
  const isNew = await startDetached<typeof returnWorkflow>('returnWorkflow', {
    workflowId: returnId(rmaId),
    args: [{ rmaId, endsWhenIdle: true }],
    staticSummary: `Return ${rmaId}, taken up again`,
  });
  if (!isNew) await signalIfRunning(returnId(rmaId), refreshSignal);
}
