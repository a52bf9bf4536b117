import { mailWorkflowId, type MailInput } from '../../workflows/mails/messages.ts';
import type { Surroundings } from './route.ts';

/** Has a mail of the outbox sent. Best effort, after the commit: what Temporal misses the sweep finds within a minute. */
export function sendMailSoon(mailId: number, { workflows, log }: Pick<Surroundings, 'workflows' | 'log'>): void {
  workflows
    .begin<MailInput>({
      workflow: 'mailWorkflow',
      id: mailWorkflowId(mailId),
      input: { mailId },
      summary: `Mail ${mailId}`,
    })
    .catch((error: unknown) => log.warn({ 'mail.id': mailId, error }, 'a mail is not sent yet; the sweep sends it'));
}
