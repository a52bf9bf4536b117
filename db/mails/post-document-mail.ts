import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import { isOneAddress, type MailedDocument } from '../../domain/mails/letters.ts';
import { orderEmailNotOneAddress } from '../../domain/refusals/documents.ts';
import { noSuchOrder } from '../../domain/refusals/platform.ts';
import { sql } from '../support/sql.ts';
import { readDocumentToTell } from './post-receipt-mail.ts';

/** A mail that is in the way may be sent before it is found; three times in a row that does not happen. */
const mostRounds = 3;

export interface DocumentToMail {
  document: MailedDocument;
  documentId: number;
  /** The key of this request: the same key again is the same mail. */
  key: string;
  /** The mail itself was asked for, so that whoever asked hears why there is none. */
  isAskedFor?: boolean;
}

/**
 * Puts a mail with a document of an order into the outbox (platform facts 5.4, 6). When a mail of this document is
 * still waiting, that mail is answered instead.
 *
 * Refused with: 404 unknown document · 400 the order 0 · 400 an address that is none, or more than one, where the mail
 * itself was asked for.
 *
 * @returns the mail to send after the commit; undefined when the customer has no address
 */
export async function postDocumentMail(
  em: EntityManager,
  { document, documentId, key, isAskedFor = false }: DocumentToMail,
): Promise<number | undefined> {
  const known = await exists.first(em, { document, documentId });
  if (!known) throw document === 'order' ? noSuchOrder(documentId) : noSuchDocument();
  const address = known.customerEmail?.trim();
  if (isAskedFor && address && !isOneAddress(address)) throw orderEmailNotOneAddress();
  if (!(await readDocumentToTell(em, { document, documentId }))) return undefined;
  const mailKey = `${document}-${documentId}-${key}`.slice(0, 64);
  const requested = { mailKey, document, documentId };
  for (let round = 0; round < mostRounds; round++) {
    const row = (await post.first(em, requested)) ?? (await selectDocumentMail.first(em, requested));
    if (row) return row.mailId;
  }
  throw new Error('a mail was posted and is not there');
}

const exists = sql('post-document-mail.exists')`
  select o.customer_email from (
    select entity_id as order_id from sales_order where $document::text = 'order' and entity_id = $documentId
    union all select order_id from sales_invoice where $document::text = 'invoice' and entity_id = $documentId
    union all select order_id from sales_shipment where $document::text = 'shipment' and entity_id = $documentId
    union all select order_id from sales_creditmemo where $document::text = 'creditmemo' and entity_id = $documentId
  ) d join sales_order o on o.entity_id = d.order_id`;

const post = sql('post-document-mail.post')`
  insert into mail_outbox (mail_key, kind, document_name, document_id)
  values ($mailKey, 'document', $document, $documentId)
  on conflict do nothing returning mail_id`;

/** The mail that is waiting, or the one with the same key, which may be sent already. */
const selectDocumentMail = sql('post-document-mail.selectDocumentMail')`
  select mail_id from mail_outbox
  where mail_key = $mailKey or (state = 'waiting' and document_name = $document and document_id = $documentId)
  order by state = 'waiting' desc limit 1`;

/**
 * Puts the mail of a one-time code into the outbox, in the transaction that makes the code. Unknown e-mails get one
 * as well: whether there is an account is checked when it is sent (decision 2). It expires with its code.
 *
 * @returns the mail to send after the commit
 */
export async function postCodeMail(em: EntityManager, mail: { codeId: number; sealed: string }): Promise<number> {
  const posted = await insertCodeMail.first(em, mail);
  if (!posted) throw new Error('a code is gone that was made a moment ago');
  return posted.mailId;
}

const insertCodeMail = sql('post-document-mail.insertCodeMail')`
  insert into mail_outbox (mail_key, kind, code_id, sealed, dies_at)
  select 'one-time-code-' || c.code_id, 'one_time_code', c.code_id, $sealed, c.expires_at
  from pos_one_time_code c where c.code_id = $codeId
  returning mail_id`;

/**
 * Puts the mail that asks a subscriber to confirm into the outbox, in the transaction that makes the subscription
 * wait. Once per request to confirm.
 *
 * @returns the mail to send after the commit; undefined where it exists already
 */
export const postConfirmationMail = async (em: EntityManager, subscriberId: number): Promise<number | undefined> =>
  (await insertConfirmationMail.first(em, { subscriberId }))?.mailId;

const insertConfirmationMail = sql('post-document-mail.insertConfirmationMail')`
  insert into mail_outbox (mail_key, kind, subscriber_id)
  select 'newsletter-' || n.subscriber_id || '-' || (extract(epoch from n.confirm_asked_at) * 1000000)::bigint,
    'newsletter_confirmation', n.subscriber_id
  from newsletter_subscriber n where n.subscriber_id = $subscriberId and n.confirm_asked_at is not null
  on conflict (mail_key) do nothing returning mail_id`;
