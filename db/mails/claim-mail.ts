import type { EntityManager } from '@mikro-orm/postgresql';
import { holdSeconds, pdfPatienceSeconds } from '../../domain/mails/mail-life.ts';
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
  claim.first(em, { mailId, holdSeconds });

const claim = statement({
  takes: { mailId: integer, holdSeconds: integer },
  gives: {
    ...of(Mail, 'mailId', 'mailKey', 'kind', 'creditMemoId', 'attemptId', 'codeId', 'subscriberId', 'sealed'),
    ...of(Mail, 'receiptId', 'sealedTo', 'documentName', 'documentId', 'customerId', 'tries'),
    isUrgent: surely(flag),
    /** Distinguishes this mail from one of another installation with the same key. */
    postedAt: surely(text),
  },
  text: `
    update mail_outbox
    set tries = tries + 1, updated_at = now(), due_at = clock_timestamp() + make_interval(secs => $holdSeconds)
    where mail_id = $mailId and state = 'waiting' and due_at <= clock_timestamp()
      and (dies_at is null or dies_at > clock_timestamp())
    returning mail_id, mail_key, kind, credit_memo_id, attempt_id, code_id, subscriber_id, sealed, receipt_id, sealed_to,
      document_name, document_id, customer_id, tries,
      dies_at is not null as is_urgent, extract(epoch from created_at)::text as posted_at`,
});

/**
 * Holds a claimed mail for another while.
 *
 * @returns false when it is no longer this sender's: it was finished or put off, or another sender took it over
 */
export const keepHolding = async (em: EntityManager, { mailId, tries }: Hold): Promise<boolean> =>
  (await renew.run(em, { mailId, tries, holdSeconds })) > 0;

/** A claim: its sender is told by the number of its try. */
export type Hold = Pick<ClaimedMail, 'mailId' | 'tries'>;

const renew = statement({
  takes: { mailId: integer, tries: integer, holdSeconds: integer },
  text: `
    update mail_outbox set due_at = clock_timestamp() + make_interval(secs => $holdSeconds)
    where mail_id = $mailId and tries = $tries and state = 'waiting'`,
});

/**
 * In how many whole seconds a mail is due that another sender may hold; that sender may have died. Undefined: it is
 * finished, too old, or put off for longer than anybody holds it without a renewal and nobody waits for it.
 */
export const secondsUntilOurs = async (em: EntityManager, mailId: number): Promise<number | undefined> =>
  (await untilDue.first(em, { mailId, holdSeconds }))?.seconds;

const untilDue = statement({
  takes: { mailId: integer, holdSeconds: integer },
  gives: { seconds: surely(integer) },
  text: `
    select greatest(1, ceil(extract(epoch from due_at - clock_timestamp())))::int as seconds from mail_outbox
    where mail_id = $mailId and state = 'waiting'
      and case when dies_at is null then due_at <= clock_timestamp() + make_interval(secs => $holdSeconds)
        else dies_at > greatest(due_at, clock_timestamp()) end`,
});

/** The outcome of a finished mail, with its reason as a code; undefined for one that waits. */
export const endOfMail = (em: EntityManager, mailId: number): Promise<RowFrom<typeof readEnd> | undefined> =>
  readEnd.first(em, { mailId });

const readEnd = statement({
  takes: { mailId: integer },
  gives: of(Mail, 'state', 'reason'),
  text: `select state, reason from mail_outbox where mail_id = $mailId and state <> 'waiting'`,
});

/** The receipt that a waiting mail brings. */
export interface ReceiptToPrint {
  receiptId: number;
  /** How long the mail still waits for its PDF. */
  pdfWithinSeconds: number;
}

/** Undefined: another kind of mail, or not waiting. */
export async function receiptOfMail(em: EntityManager, mailId: number): Promise<ReceiptToPrint | undefined> {
  const found = await findReceipt.first(em, { mailId, pdfPatienceSeconds });
  return found && found.receiptId !== null ? { ...found, receiptId: found.receiptId } : undefined;
}

const findReceipt = statement({
  takes: { mailId: integer, pdfPatienceSeconds: integer },
  gives: { ...of(Mail, 'receiptId'), pdfWithinSeconds: surely(integer) },
  text: `
    select receipt_id,
      greatest(0, ceil($pdfPatienceSeconds::integer - extract(epoch from clock_timestamp() - created_at)))::int
        as pdf_within_seconds
    from mail_outbox where mail_id = $mailId and state = 'waiting'`,
});
