import type { EntityManager } from '@mikro-orm/postgresql';
import { sendingSeconds } from '../../domain/mails/mail-life.ts';
import { float, integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Mail } from './mail.entity.ts';

/** A mail that is ours to send for the next moments. */
export type ClaimedMail = RowFrom<typeof claim>;

/**
 * Takes a mail to send it, in a commit of its own, by compare and set: of many at once one gets it.
 *
 * @returns undefined when it is sent, dropped, not due, or being sent by somebody
 */
export const claimMail = (em: EntityManager, mailId: number): Promise<ClaimedMail | undefined> =>
  claim.first(em, { mailId, sendingSeconds });

const claim = statement({
  takes: { mailId: integer, sendingSeconds: float },
  gives: {
    ...of(Mail, 'mailId', 'mailKey', 'kind', 'creditMemoId', 'attemptId'),
    /** This one included. */
    tries: integer,
    /** Tells this mail from one of another installation with the same key. */
    postedAt: text,
  },
  text: `
    update mail_outbox
    set tries = tries + 1, due_at = clock_timestamp() + make_interval(secs => $sendingSeconds), updated_at = now()
    where mail_id = $mailId and state = 'waiting' and due_at <= clock_timestamp()
    returning mail_id, mail_key, kind, credit_memo_id, attempt_id, tries, extract(epoch from created_at)::text as posted_at`,
});
