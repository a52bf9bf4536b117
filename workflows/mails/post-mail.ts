import { startDetached } from '../support/start-detached.ts';
import type { urgentMailWorkflow } from './urgent-mail-workflow.ts';
import type { mailWorkflow } from './mail-workflow.ts';
import { mailWorkflowId } from './messages.ts';

/**
 * Has a mail of the outbox sent by a workflow of its own, which outlives this one. Nobody waits for the sending.
 *
 * Only ever called with a mail that an activity has answered: histories from before there was mail have none, and so no
 * command here.
 */
export async function postMail(mailId: number | undefined): Promise<void> {
  if (mailId !== undefined) await start('mailWorkflow', mailId);
}

/** The same for a mail that somebody stands and waits for. */
export const postUrgentMail = (mailId: number): Promise<void> => start('urgentMailWorkflow', mailId);

async function start(workflow: 'mailWorkflow' | 'urgentMailWorkflow', mailId: number): Promise<void> {
  await startDetached<typeof mailWorkflow | typeof urgentMailWorkflow>(workflow, {
    workflowId: mailWorkflowId(mailId),
    args: [{ mailId }],
    staticSummary: `Mail ${mailId}`,
  });
}
