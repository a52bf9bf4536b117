import { mailWorkflowId, type MailInput } from '../../workflows/messages.ts';
import type { Log } from '../../providers/log.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';

/**
 * Starts sending a mail of the outbox. Best effort, after the commit: the sweep finds what Temporal missed within a
 * minute.
 */
export const sendMailSoon = (mailId: number, context: Context): void => start('mailWorkflow', mailId, context);

/** The same for a mail that somebody waits for: it goes before all others. */
export const sendUrgentMailSoon = (mailId: number, context: Context): void =>
  start('urgentMailWorkflow', mailId, context);

interface Context {
  workflows: Workflows;
  log: Log;
}

function start(workflow: 'mailWorkflow' | 'urgentMailWorkflow', mailId: number, { workflows, log }: Context): void {
  workflows
    .start<MailInput>({
      workflow,
      id: mailWorkflowId(mailId),
      input: { mailId },
      summary: `Mail ${mailId}`,
    })
    .catch((error: unknown) => log.warn({ 'mail.id': mailId, error }, 'a mail is not sent yet; the sweep sends it'));
}
