import type { EntityManager } from '@mikro-orm/postgresql';
import { holdSeconds, pdfPatienceSeconds, type MailReason, type MailState } from '../../domain/mails/letters.ts';
import { everyResource } from '../../domain/platform/access.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

export interface ConcludedMail extends Hold {
  state: Exclude<MailState, 'waiting'>;
  /** Why it was dropped. */
  reason?: MailReason;
}

/**
 * Records that a mail was sent, or never will be; an earlier outcome stays. Its sealed content is deleted.
 *
 * A mail server's yes counts, whoever holds the mail now. Only who holds it can say that it is never sent.
 */
export async function concludeMail(em: EntityManager, { mailId, tries, state, reason }: ConcludedMail): Promise<void> {
  await conclude.run(em, { mailId, tries, state, reason: reason ?? null });
}

/** A document says itself that it was sent to its customer (platform facts 5.2, 6). */
const sentDocument = (name: string, table: string) => `sent_${name} as (
      update ${table} d set email_sent = 1 from concluded c
      where c.state = 'sent' and c.document_name = '${name}' and d.entity_id = c.document_id)`;

const conclude = sql('conclude-mail.conclude')`
  with concluded as (
    update mail_outbox set state = $state, reason = $reason?, sealed = null, sealed_to = null,
      wish_digest = null, updated_at = now()
    where mail_id = $mailId and state = 'waiting' and ($state = 'sent' or tries = $tries)
    returning state, document_name, document_id),
  ${sentDocument('order', 'sales_order')},
  ${sentDocument('invoice', 'sales_invoice')},
  ${sentDocument('shipment', 'sales_shipment')},
  ${sentDocument('creditmemo', 'sales_creditmemo')}
  select from concluded`;

/** Postpones a mail that the mail server did not take, unless another sender has taken it over. */
export const postponeMail = (
  em: EntityManager,
  { mailId, tries, seconds, reason }: Hold & { seconds: number; reason: MailReason },
) => postpone.run(em, { mailId, tries, seconds, reason });

const postpone = sql('conclude-mail.postpone')`
  update mail_outbox set due_at = now() + make_interval(secs => $seconds), reason = $reason, updated_at = now()
  where mail_id = $mailId and tries = $tries and state = 'waiting'`;

/** The most that one sweep starts; the next sweep comes a minute later. */
const mostAtOnce = 100;

/** The process that posted a new mail sends it within this time. */
const quietSeconds = 20;

/** Shorter for urgent mails, because a customer waits. */
const urgentQuietSeconds = 5;

/**
 * Mails that are due and not being sent: by index, the longest due first. Mails with an expiry are not included.
 *
 * Many receipts stay due while they wait for their PDF: they have a separate limit, so they do not delay other mails.
 */
export const findWaitingMails = async (em: EntityManager): Promise<number[]> =>
  (await findWaiting.all(em, { quietSeconds, mostAtOnce })).map(({ mailId }) => mailId);

const findWaiting = sql('conclude-mail.findWaiting')`
  with due as not materialized (
    select mail_id, kind, due_at from mail_outbox
    where state = 'waiting' and due_at <= now() and dies_at is null
      and (tries > 0 or created_at <= now() - make_interval(secs => $quietSeconds)))
  (select mail_id from due where kind <> 'receipt' order by due_at limit $mostAtOnce)
  union all
  (select mail_id from due where kind = 'receipt' order by due_at limit $mostAtOnce)`;

/** The same for urgent mails that are not too old yet. */
export const findUrgentMails = async (em: EntityManager): Promise<number[]> =>
  (await findUrgent.all(em, { urgentQuietSeconds, mostAtOnce })).map(({ mailId }) => mailId);

const findUrgent = sql('conclude-mail.findUrgent')`
  select mail_id from mail_outbox
  where state = 'waiting' and dies_at > now() and due_at <= now()
    and (tries > 0 or created_at <= now() - make_interval(secs => $urgentQuietSeconds))
  order by dies_at limit $mostAtOnce`;

/**
 * Many uncertain refunds at once have one cause, the gateway, so few mails are enough. The rest follow a minute
 * later.
 */
const raiseAlarmsMostAtOnce = 20;

const escalationTail = '-24h';

/** After the first mail; the last one goes to whoever is asked when nobody answers. */
const laterAlarms = [
  { tail: '-4h', minutes: 240 },
  { tail: escalationTail, minutes: 1_440 },
] as const;

/**
 * Puts a mail to the operators into the outbox for every refund that has been uncertain for so long, and again after
 * four hours and after a day. Of a refund only the latest that is due. Once each, by the key of the mail; concurrent
 * calls are safe.
 */
export async function raiseAlarms(em: EntityManager, { afterMinutes }: { afterMinutes: number }): Promise<void> {
  await raise.run(em, { afterMinutes, mostAtOnce: raiseAlarmsMostAtOnce });
}

/** Puts a mail to the operators into the outbox for every endpoint that was paused, once for each pause. */
export async function raisePauseAlarms(em: EntityManager): Promise<void> {
  await raisePauses.run(em);
}

const pausePrefix = 'endpoint-paused-';

/** The endpoint that a mail is about; undefined: the mail is about something else. */
export const endpointOfMail = (mailKey: string): number | undefined =>
  mailKey.startsWith(pausePrefix) ? Number(mailKey.slice(pausePrefix.length).split('-')[0]) : undefined;

const raisePauses = sql('conclude-mail.raisePauses')`
  insert into mail_outbox (mail_key, kind)
  select '${pausePrefix}' || endpoint_id || '-' || extract(epoch from failing_since)::bigint, 'endpoint_paused'
  from webhook_endpoint where state = 'paused' and failing_since is not null
  on conflict (mail_key) do nothing`;

/** The mail about a refund that nobody answered for a day. */
export const isEscalation = (mailKey: string) => mailKey.endsWith(escalationTail);

const raise = sql('conclude-mail.raise')`
  with due as (
    select a.attempt_id, a.created_at, 'uncertain-refund-' || a.attempt_id || s.tail as mail_key
    from refund_attempt a cross join lateral (
      select tail from (values ('', $afterMinutes::int), ${laterAlarms
        .map(
          ({ tail, minutes }) => `('${tail}',
        ${minutes})`,
        )
        .join(', ')})
        as step (tail, minutes)
      where a.created_at <= now() - make_interval(mins => step.minutes) and step.minutes >= $afterMinutes::int
      order by step.minutes desc limit 1) s
    where a.state = 'uncertain')
  insert into mail_outbox (mail_key, kind, attempt_id)
  select d.mail_key, 'uncertain_refund', d.attempt_id from due d
  where not exists (select from mail_outbox m where m.mail_key = d.mail_key)
  order by d.created_at limit $mostAtOnce
  on conflict (mail_key) do nothing`;

/** Who is told where no address is set: the first administrator of everything. */
export const administratorToTell = async (em: EntityManager): Promise<string | undefined> =>
  (await administrator.first(em, { everything: everyResource }))?.email;

const administrator = sql('conclude-mail.administrator')`
  select email from admin_user where is_active and resources @> jsonb_build_array($everything::text)
  order by user_id limit 1`;

/** A mail claimed for sending; `tries` counts this try. */
export type ClaimedMail = RowFrom<typeof claim>;

/**
 * Claims a mail for sending, in a separate commit, by compare and set: of concurrent callers one gets it.
 *
 * @returns undefined when it is sent, dropped, too old, not due, or being sent by another sender
 */
export const claimMail = (em: EntityManager, mailId: number): Promise<ClaimedMail | undefined> =>
  claim.first(em, { mailId, holdSeconds });

const claim = sql('conclude-mail.claim')`
  update mail_outbox
  set tries = tries + 1, updated_at = now(), due_at = clock_timestamp() + make_interval(secs => $holdSeconds)
  where mail_id = $mailId and state = 'waiting' and due_at <= clock_timestamp()
    and (dies_at is null or dies_at > clock_timestamp())
  returning mail_id, mail_key, kind, credit_memo_id, attempt_id, code_id, subscriber_id, sealed, receipt_id,
    sealed_to,
    document_name, document_id, customer_id, tries,
    dies_at is not null as is_urgent, extract(epoch from created_at)::text as posted_at`;

/**
 * Holds a claimed mail for another while.
 *
 * @returns false when it is no longer this sender's: it was finished or put off, or another sender took it over
 */
export const keepHolding = async (em: EntityManager, { mailId, tries }: Hold): Promise<boolean> =>
  (await renew.run(em, { mailId, tries, holdSeconds })) > 0;

/** A claim: its sender is told by the number of its try. */
export type Hold = Pick<ClaimedMail, 'mailId' | 'tries'>;

const renew = sql('conclude-mail.renew')`
  update mail_outbox set due_at = clock_timestamp() + make_interval(secs => $holdSeconds)
  where mail_id = $mailId and tries = $tries and state = 'waiting'`;

/**
 * In how many whole seconds a mail is due that another sender may hold; that sender may have died. Undefined: it is
 * finished, too old, or put off for longer than anybody holds it without a renewal and nobody waits for it.
 */
export const secondsUntilOurs = async (em: EntityManager, mailId: number): Promise<number | undefined> =>
  (await untilDue.first(em, { mailId, holdSeconds }))?.seconds;

const untilDue = sql('conclude-mail.untilDue')`
  select greatest(1, ceil(extract(epoch from due_at - clock_timestamp())))::int as seconds from mail_outbox
  where mail_id = $mailId and state = 'waiting'
    and case when dies_at is null then due_at <= clock_timestamp() + make_interval(secs => $holdSeconds)
      else dies_at > greatest(due_at, clock_timestamp()) end`;

/** The outcome of a finished mail, with its reason as a code; undefined for one that waits. */
export const endOfMail = (em: EntityManager, mailId: number): Promise<RowFrom<typeof readEnd> | undefined> =>
  readEnd.first(em, { mailId });

const readEnd = sql('conclude-mail.readEnd')`
  select state, reason from mail_outbox where mail_id = $mailId and state <> 'waiting'`;

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

const findReceipt = sql('conclude-mail.findReceipt')`
  select receipt_id,
    greatest(0, ceil($pdfPatienceSeconds::integer - extract(epoch from clock_timestamp() - created_at)))::int
      as pdf_within_seconds
  from mail_outbox where mail_id = $mailId and state = 'waiting'`;
