import { startDetached } from '../support/start-detached.ts';
import type { urgentMailWorkflow } from './urgent-mail-workflow.ts';
import type { mailWorkflow } from './mail-workflow.ts';
import { mailWorkflowId } from './messages.ts';

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
