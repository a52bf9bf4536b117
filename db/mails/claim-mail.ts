import type { EntityManager } from '@mikro-orm/postgresql';
import { sendingSeconds, urgentSendingSeconds } from '../../domain/mails/mail-life.ts';
import { flag, integer, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Mail } from './mail.entity.ts';

/** A mail that is ours to send for the next moments; `tries` counts this one. */
export type ClaimedMail = RowFrom<typeof claim>;

/**
 * Takes a mail to send it, in a commit of its own, by compare and set: of many at once one gets it.
 *
 * @returns undefined when it is sent, dropped, dead, not due, or being sent by somebody
 */
export const claimMail = (em: EntityManager, mailId: number): Promise<ClaimedMail | undefined> =>
  claim.first(em, { mailId, sendingSeconds, urgentSendingSeconds });

const claim = statement({
  takes: { mailId: integer, sendingSeconds: integer, urgentSendingSeconds: integer },
  gives: {
    ...of(Mail, 'mailId', 'mailKey', 'kind', 'creditMemoId', 'attemptId', 'codeId', 'subscriberId', 'sealed'),
    ...of(Mail, 'receiptId', 'sealedTo', 'documentName', 'documentId', 'tries'),
    isUrgent: surely(flag),
    /** Tells this mail from one of another installation with the same key. */
    postedAt: surely(text),
  },
  text: `
    update mail_outbox
    set tries = tries + 1, updated_at = now(), due_at = clock_timestamp()
      + case when dies_at is null then make_interval(secs => $sendingSeconds) else make_interval(secs => $urgentSendingSeconds) end
    where mail_id = $mailId and state = 'waiting' and due_at <= clock_timestamp()
      and (dies_at is null or dies_at > clock_timestamp())
    returning mail_id, mail_key, kind, credit_memo_id, attempt_id, code_id, subscriber_id, sealed, receipt_id, sealed_to,
      document_name, document_id, tries,
      dies_at is not null as is_urgent, extract(epoch from created_at)::text as posted_at`,
});

/**
 * How long a mail that somebody waits for is somebody else's to send, in whole seconds; undefined for one that is over or
 * dead, and for every other mail. Who took it may have died.
 */
export const secondsUntilOurs = async (em: EntityManager, mailId: number): Promise<number | undefined> =>
  (await untilDue.first(em, { mailId }))?.seconds;

const untilDue = statement({
  takes: { mailId: integer },
  gives: { seconds: surely(integer) },
  text: `
    select greatest(1, ceil(extract(epoch from due_at - clock_timestamp())))::int as seconds from mail_outbox
    where mail_id = $mailId and state = 'waiting' and dies_at > greatest(due_at, clock_timestamp())`,
});

/** What became of a mail that is over, and why as a code; undefined for one that waits. */
export const endOfMail = (em: EntityManager, mailId: number): Promise<RowFrom<typeof readEnd> | undefined> =>
  readEnd.first(em, { mailId });

const readEnd = statement({
  takes: { mailId: integer },
  gives: of(Mail, 'state', 'reason'),
  text: `select state, reason from mail_outbox where mail_id = $mailId and state <> 'waiting'`,
});

/** Which receipt a mail is to bring; undefined: another kind of mail, or none that waits. */
export const receiptOfMail = async (em: EntityManager, mailId: number): Promise<number | undefined> =>
  (await findReceipt.first(em, { mailId }))?.receiptId ?? undefined;

const findReceipt = statement({
  takes: { mailId: integer },
  gives: of(Mail, 'receiptId'),
  text: `select receipt_id from mail_outbox where mail_id = $mailId and state = 'waiting'`,
});
