import type { EntityManager } from '@mikro-orm/postgresql';
import { sendingSeconds, type MailKind } from '../../domain/mails/mail-life.ts';

/** A mail that is ours to send for the next moments. */
export interface ClaimedMail {
  mailId: number;
  mailKey: string;
  kind: MailKind;
  creditMemoId: number | null;
  attemptId: number | null;
  /** This one included. */
  tries: number;
  /** Tells this mail from one of another installation with the same key. */
  postedAt: string;
}

/**
 * Takes a mail to send it, in a commit of its own, by compare and set: of many at once one gets it.
 *
 * @returns undefined when it is sent, dropped, not due, or being sent by somebody
 */
export async function claimMail(em: EntityManager, mailId: number): Promise<ClaimedMail | undefined> {
  const [claimed] = await em.execute<ClaimedMail[]>(
    `update mail_outbox
     set tries = tries + 1, due_at = clock_timestamp() + make_interval(secs => ?), updated_at = now()
     where mail_id = ? and state = 'waiting' and due_at <= clock_timestamp()
     returning mail_id as "mailId", mail_key as "mailKey", kind, credit_memo_id as "creditMemoId",
       attempt_id as "attemptId", tries, extract(epoch from created_at)::text as "postedAt"`,
    [sendingSeconds, mailId],
  );
  return claimed;
}
