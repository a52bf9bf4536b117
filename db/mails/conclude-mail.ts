import type { EntityManager } from '@mikro-orm/postgresql';
import type { MailState } from '../../domain/mails/mail-life.ts';

/** As long as the column. */
const longestReason = 64;

export interface ConcludedMail {
  mailId: number;
  state: Exclude<MailState, 'waiting'>;
  /** Why it was dropped. */
  reason?: string;
}

/** Notes that a mail went out, or never will; what was concluded before stays. */
export async function concludeMail(em: EntityManager, { mailId, state, reason }: ConcludedMail): Promise<void> {
  await em.execute(
    `update mail_outbox set state = ?, reason = ?, updated_at = now() where mail_id = ? and state = 'waiting'`,
    [state, reason?.slice(0, longestReason) ?? null, mailId],
  );
}

/** Puts a mail off that the mail server did not take. */
export async function postponeMail(
  em: EntityManager,
  { mailId, minutes, reason }: { mailId: number; minutes: number; reason: string },
): Promise<void> {
  await em.execute(
    `update mail_outbox set due_at = now() + make_interval(mins => ?), reason = ?, updated_at = now()
     where mail_id = ? and state = 'waiting'`,
    [minutes, reason.slice(0, longestReason), mailId],
  );
}
