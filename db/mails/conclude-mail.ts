import type { EntityManager } from '@mikro-orm/postgresql';
import type { MailState } from '../../domain/mails/mail-life.ts';
import { integer, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import type { Hold } from './claim-mail.ts';

/** The length of the column. */
const longestReason = 64;

export interface ConcludedMail extends Hold {
  state: Exclude<MailState, 'waiting'>;
  /** Why it was dropped. */
  reason?: string;
}

/**
 * Records that a mail was sent, or never will be; an earlier outcome stays. Its sealed content is deleted.
 *
 * A mail server's yes counts, whoever holds the mail now. Only who holds it can say that it is never sent.
 */
export async function concludeMail(em: EntityManager, { mailId, tries, state, reason }: ConcludedMail): Promise<void> {
  await conclude.run(em, { mailId, tries, state, reason: reason?.slice(0, longestReason) ?? null });
}

/** A document says itself that it was sent to its customer (platform facts 5.2, 6). */
const sentDocument = (name: string, table: string) => `sent_${name} as (
      update ${table} d set email_sent = 1 from concluded c
      where c.state = 'sent' and c.document_name = '${name}' and d.entity_id = c.document_id)`;

const conclude = statement({
  takes: { mailId: integer, tries: integer, state: text, reason: orNull(text) },
  text: `
    with concluded as (
      update mail_outbox set state = $state, reason = $reason, sealed = null, sealed_to = null,
        wish_digest = null, updated_at = now()
      where mail_id = $mailId and state = 'waiting' and ($state = 'sent' or tries = $tries)
      returning state, document_name, document_id),
    ${sentDocument('order', 'sales_order')},
    ${sentDocument('invoice', 'sales_invoice')},
    ${sentDocument('shipment', 'sales_shipment')},
    ${sentDocument('creditmemo', 'sales_creditmemo')}
    select from concluded`,
});

/** Postpones a mail that the mail server did not take, unless another sender has taken it over. */
export const postponeMail = (
  em: EntityManager,
  { mailId, tries, seconds, reason }: Hold & { seconds: number; reason: string },
) => postpone.run(em, { mailId, tries, seconds, reason: reason.slice(0, longestReason) });

const postpone = statement({
  takes: { mailId: integer, tries: integer, seconds: integer, reason: text },
  text: `
    update mail_outbox set due_at = now() + make_interval(secs => $seconds), reason = $reason, updated_at = now()
    where mail_id = $mailId and tries = $tries and state = 'waiting'`,
});
