import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchDocument, noSuchOrder } from '../../domain/errors.ts';
import type { MailedDocument } from '../../domain/mails/mail-life.ts';
import { isOneAddress } from '../../domain/mails/one-address.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { integer, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { readDocumentToTell } from './read-document-to-tell.ts';

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

const notOneAddress = () => invalid('The e-mail address of the order is not one address, so no mail was sent.');

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
  if (isAskedFor && address && !isOneAddress(address)) throw notOneAddress();
  if (!(await readDocumentToTell(em, { document, documentId }))) return undefined;
  const mailKey = `${document}-${documentId}-${key}`.slice(0, 64);
  const wanted = { mailKey, document, documentId };
  for (let round = 0; round < mostRounds; round++) {
    const row = (await post.first(em, wanted)) ?? (await find.first(em, wanted));
    if (row) return row.mailId;
  }
  throw new Error('a mail was posted and is not there');
}

const exists = statement({
  takes: { document: text, documentId: integer },
  gives: of(Order, 'customerEmail'),
  text: `
    select o.customer_email from (
      select entity_id as order_id from sales_order where $document::text = 'order' and entity_id = $documentId
      union all select order_id from sales_invoice where $document::text = 'invoice' and entity_id = $documentId
      union all select order_id from sales_shipment where $document::text = 'shipment' and entity_id = $documentId
      union all select order_id from sales_creditmemo where $document::text = 'creditmemo' and entity_id = $documentId
    ) d join sales_order o on o.entity_id = d.order_id`,
});

const post = statement({
  takes: { mailKey: text, document: text, documentId: integer },
  gives: { mailId: surely(integer) },
  text: `
    insert into mail_outbox (mail_key, kind, document_name, document_id)
    values ($mailKey, 'document', $document, $documentId)
    on conflict do nothing returning mail_id`,
});

/** The mail that is waiting, or the one with the same key, which may be sent already. */
const find = statement({
  takes: { mailKey: text, document: text, documentId: integer },
  gives: { mailId: surely(integer) },
  text: `
    select mail_id from mail_outbox
    where mail_key = $mailKey or (state = 'waiting' and document_name = $document and document_id = $documentId)
    order by state = 'waiting' desc limit 1`,
});
