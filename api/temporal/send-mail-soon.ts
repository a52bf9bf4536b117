import { mailWorkflowId, type MailInput } from '../../workflows/mails/messages.ts';
import type { Log } from '../../providers/log.ts';
import type { Workflows } from './workflows.ts';

/**
 * Starts sending a mail of the outbox. Best effort, after the commit: the sweep finds what Temporal missed within a
 * minute.
 */
export function sendMailSoon(mailId: number, { workflows, log }: { workflows: Workflows; log: Log }): void {
  workflows
    .start<MailInput>({
      workflow: 'mailWorkflow',
      id: mailWorkflowId(mailId),
      input: { mailId },
      summary: `Mail ${mailId}`,
    })
    .catch((error: unknown) => log.warn({ 'mail.id': mailId, error }, 'a mail is not sent yet; the sweep sends it'));
}
