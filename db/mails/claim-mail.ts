import type { EntityManager } from '@mikro-orm/postgresql';
import { sendingSeconds, urgentSendingSeconds } from '../../domain/mails/mail-life.ts';
import { flag, integer, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Mail } from './mail.entity.ts';

/** A mail claimed for sending; `tries` counts this try. */
export type ClaimedMail = RowFrom<typeof claim>;

/**
 * Claims a mail for sending, in a separate commit, by compare and set: of concurrent callers one gets it.
 *
 * @returns undefined when it is sent, dropped, too old, not due, or being sent by another sender
 */
export const claimMail = (em: EntityManager, mailId: number): Promise<ClaimedMail | undefined> =>
  claim.first(em, { mailId, sendingSeconds, urgentSendingSeconds });

const claim = statement({
  takes: { mailId: integer, sendingSeconds: integer, urgentSendingSeconds: integer },
  gives: {
    ...of(Mail, 'mailId', 'mailKey', 'kind', 'creditMemoId', 'attemptId', 'codeId', 'subscriberId', 'sealed'),
    ...of(Mail, 'receiptId', 'sealedTo', 'documentName', 'documentId', 'customerId', 'tries'),
    isUrgent: surely(flag),
    /** Distinguishes this mail from one of another installation with the same key. */
    postedAt: surely(text),
  },
  text: `
    update mail_outbox
    set tries = tries + 1, updated_at = now(), due_at = clock_timestamp()
      + case when dies_at is null then make_interval(secs => $sendingSeconds) else make_interval(secs => $urgentSendingSeconds) end
    where mail_id = $mailId and state = 'waiting' and due_at <= clock_timestamp()
      and (dies_at is null or dies_at > clock_timestamp())
    returning mail_id, mail_key, kind, credit_memo_id, attempt_id, code_id, subscriber_id, sealed, receipt_id, sealed_to,
      document_name, document_id, customer_id, tries,
      dies_at is not null as is_urgent, extract(epoch from created_at)::text as posted_at`,
});

/**
 * How long another sender still owns an urgent mail, in whole seconds; undefined for a finished or expired mail, and
 * for every other mail. That sender may have died.
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

/** The outcome of a finished mail, with its reason as a code; undefined for one that waits. */
export const endOfMail = (em: EntityManager, mailId: number): Promise<RowFrom<typeof readEnd> | undefined> =>
  readEnd.first(em, { mailId });

const readEnd = statement({
  takes: { mailId: integer },
  gives: of(Mail, 'state', 'reason'),
  text: `select state, reason from mail_outbox where mail_id = $mailId and state <> 'waiting'`,
});

/** The receipt that a waiting mail brings; undefined: another kind of mail, or not waiting. */
export const receiptOfMail = async (em: EntityManager, mailId: number): Promise<number | undefined> =>
  (await findReceipt.first(em, { mailId }))?.receiptId ?? undefined;

const findReceipt = statement({
  takes: { mailId: integer },
  gives: of(Mail, 'receiptId'),
  text: `select receipt_id from mail_outbox where mail_id = $mailId and state = 'waiting'`,
});
