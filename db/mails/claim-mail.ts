import type { EntityManager } from '@mikro-orm/postgresql';
import { sendingSeconds } from '../../domain/mails/mail-life.ts';
import { integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Mail } from './mail.entity.ts';

/** A mail that is ours to send for the next moments; `tries` counts this one. */
export type ClaimedMail = RowFrom<typeof claim>;

/**
 * Takes a mail to send it, in a commit of its own, by compare and set: of many at once one gets it.
 *
 * @returns undefined when it is sent, dropped, not due, or being sent by somebody
 */
export const claimMail = (em: EntityManager, mailId: number): Promise<ClaimedMail | undefined> =>
  claim.first(em, { mailId, sendingSeconds });

const claim = statement({
  takes: { mailId: integer, sendingSeconds: integer },
  gives: {
    ...of(Mail, 'mailId', 'mailKey', 'kind', 'creditMemoId', 'attemptId', 'receiptId', 'sealedTo', 'tries'),
    /** Tells this mail from one of another installation with the same key. */
    postedAt: text,
  },
  text: `
    update mail_outbox
    set tries = tries + 1, due_at = clock_timestamp() + make_interval(secs => $sendingSeconds), updated_at = now()
    where mail_id = $mailId and state = 'waiting' and due_at <= clock_timestamp()
    returning mail_id, mail_key, kind, credit_memo_id, attempt_id, receipt_id, sealed_to, tries,
      extract(epoch from created_at)::text as posted_at`,
});

/** Which receipt a mail is to bring; undefined: another kind of mail, or none that waits. */
export const receiptOfMail = async (em: EntityManager, mailId: number): Promise<number | undefined> =>
  (await findReceipt.first(em, { mailId }))?.receiptId ?? undefined;

const findReceipt = statement({
  takes: { mailId: integer },
  gives: of(Mail, 'receiptId'),
  text: `select receipt_id from mail_outbox where mail_id = $mailId and state = 'waiting'`,
});
