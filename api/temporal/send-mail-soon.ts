import { mailWorkflowId, type MailInput } from '../../workflows/mails/messages.ts';
import type { Log } from '../../providers/log.ts';
import type { Workflows } from './workflows.ts';

/** Has a mail of the outbox sent. Best effort, after the commit: what Temporal misses the sweep finds within a minute. */
export function sendMailSoon(mailId: number, { workflows, log }: { workflows: Workflows; log: Log }): void {
  workflows
    .begin<MailInput>({
      workflow: 'mailWorkflow',
      id: mailWorkflowId(mailId),
      input: { mailId },
      summary: `Mail ${mailId}`,
    })
    .catch((error: unknown) => log.warn({ 'mail.id': mailId, error }, 'a mail is not sent yet; the sweep sends it'));
}
