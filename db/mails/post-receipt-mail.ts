import type { EntityManager } from '@mikro-orm/postgresql';
import type { DocumentToTell } from '../../domain/mails/letter-pen.ts';
import { isErasedAddress } from '../../domain/customers.ts';
import { isOneAddress, type MailedDocument } from '../../domain/mails/letters.ts';
import type { ShownOption } from '../../domain/platform/catalog/entered-options.ts';
import { resetAgainMinutes, resetMailMinutes } from '../../domain/platform/customers.ts';
import { readStoreSetting } from '../configuration/read-store-setting.ts';
import { json, listOf, quantity, definite, text } from '../support/entity-columns.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { sql } from '../support/sql.ts';

/** The purpose with which the address of a receipt's mail is sealed. */
export const mailAddressPurpose = 'mail address';

/** A joined mail may be sent before the join is stored; three times in a row that does not happen. */
const mostRounds = 3;

/**
 * Puts the mail with a receipt into the outbox, before it is sent (spec 4.9). A second request for the same receipt
 * and address joins the waiting mail, so that the recipient gets one.
 *
 * @param key identifies the request; the same key is the same mail
 */
export async function postReceiptMail(
  em: EntityManager,
  box: SecretBox,
  { receiptId, to, key }: { receiptId: number; to: string; key: string },
): Promise<number> {
  const mailKey = `receipt-${receiptId}-${key}`.slice(0, 64);
  const digests = box.digests(`${receiptId} ${to.toLowerCase()}`, mailAddressPurpose);
  // While the key changes some processes have both keys in the other order: all of them write the same digest.
  const requestDigest = digests.toSorted()[0] ?? '';
  const sealedTo = box.seal(to, mailAddressPurpose);
  for (let round = 0; round < mostRounds; round++) {
    const row =
      (await post.first(em, { receiptId, mailKey, sealedTo, wishDigest: requestDigest, digests })) ??
      (await selectReceiptMail.first(em, { receiptId, mailKey })) ??
      (await join.first(em, { mailKey, digests }));
    if (row) return row.mailId;
  }
  throw new Error('a mail was posted and is not there');
}

/** Of two concurrent calls one creates the row; the other waits for it here and then finds it. */
const post = sql('post-receipt-mail.post')`
  insert into mail_outbox (mail_key, kind, receipt_id, sealed_to, wish_digest)
  select $mailKey::text, 'receipt', $receiptId, $sealedTo, $wishDigest
  where not exists (select from mail_outbox where receipt_id = $receiptId and $mailKey::text = any(joined_keys))
    and not exists (select from mail_outbox where wish_digest = any($digests::text[]))
  on conflict do nothing returning mail_id`;

const selectReceiptMail = sql('post-receipt-mail.selectReceiptMail')`
  select mail_id from mail_outbox
  where receipt_id = $receiptId and (mail_key = $mailKey::text or $mailKey::text = any(joined_keys))`;

const join = sql('post-receipt-mail.join')`
  update mail_outbox set joined_keys = array_append(joined_keys, $mailKey::text)
  where wish_digest = any($digests::text[])
  returning mail_id`;

/** What a token is sealed for. */
export const resetPurpose = 'password reset';

/**
 * Puts the mail with the token of a new password into the outbox, in the transaction that keeps the token's digest. The
 * token lies there sealed until the mail is sent, and an hour at most.
 *
 * @returns the mail to send after the commit
 */
export async function postPasswordResetMail(
  em: EntityManager,
  { customerId, token, box }: { customerId: number; token: string; box: SecretBox },
): Promise<number> {
  const posted = await postReset.first(em, { customerId, sealed: box.seal(token, resetPurpose), resetMailMinutes });
  if (!posted) throw new Error('a token is gone that was made a moment ago');
  return posted.mailId;
}

const postReset = sql('post-receipt-mail.postReset')`
  insert into mail_outbox (mail_key, kind, customer_id, sealed, dies_at)
  select 'password-reset-' || r.customer_id || '-' || (extract(epoch from r.asked_at) * 1000000)::bigint,
    'password_reset', r.customer_id, $sealed, r.asked_at + make_interval(mins => $resetMailMinutes)
  from customer_password_reset r where r.customer_id = $customerId
  returning mail_id`;

/**
 * Puts the mail that asks an account to confirm its e-mail into the outbox. Of several requests within ten minutes one
 * posts it.
 *
 * @returns the mail to send after the commit; undefined where it exists already
 */
export const postAccountConfirmationMail = async (em: EntityManager, customerId: number): Promise<number | undefined> =>
  (await postConfirmation.first(em, { customerId, seconds: resetAgainMinutes * 60 }))?.mailId;

const postConfirmation = sql('post-receipt-mail.postConfirmation')`
  insert into mail_outbox (mail_key, kind, customer_id)
  select 'account-confirmation-' || c.id || '-' || floor(extract(epoch from now()) / $seconds::int)::bigint,
    'account_confirmation', c.id
  from customer c where c.id = $customerId and c.confirmation is not null
  on conflict (mail_key) do nothing returning mail_id`;

/**
 * The mail address of an order's customer; undefined: none, that of the store's walk-in customer or of an erased
 * person, or a text that is not one address. An order is kept as it was sold, whatever its e-mail is.
 */
export async function mailableAddress(
  em: EntityManager,
  { customerEmail, storeId }: { customerEmail: string | null; storeId: number },
): Promise<string | undefined> {
  const address = customerEmail?.trim();
  if (!address || !isOneAddress(address) || isErasedAddress(address)) return undefined;
  const walkIn = await readStoreSetting(em, 'vendor_pos_terminal/customers/walk_in_email', storeId);
  return address.toLowerCase() === walkIn.trim().toLowerCase() ? undefined : address;
}

/**
 * The content and the address of a mail about a document of an order, read when the mail is sent. Reads only.
 *
 * @returns undefined when there is no document or no address, or the address is that of the walk-in customer or of an
 * erased person
 */
export async function readDocumentToTell(
  em: EntityManager,
  { document, documentId }: { document: MailedDocument; documentId: number },
): Promise<{ to: string; document: DocumentToTell } | undefined> {
  const row = await selectDocumentToMail.first(em, { document, documentId });
  if (!row) return undefined;
  const { customerEmail, storeId, storeName, ...facts } = row;
  const to = await mailableAddress(em, { customerEmail, storeId });
  if (!to) return undefined;
  const shopName = await readStoreSetting(em, 'general/store_information/name', storeId);
  return { to, document: { ...facts, document, shopName: shopName === '' ? storeName : shopName } };
}

const linesOf = (table: string, where: string) => `
  (select coalesce(json_agg(json_build_object('name', coalesce(l.name, l.sku), 'qty', l.qty, 'options', l.options)
     order by l.id), '[]')
   from (select i.name, i.sku, ${table === 'sales_order_item' ? ofOrder : ofDocument} from ${table} i
     where ${where}) l)`;

const ofOrder = 'i.qty_ordered as qty, i.item_id as id, i.entered_options as options';
const ofDocument = `i.qty, i.entity_id as id,
  (select s.entered_options from sales_order_item s where s.item_id = i.order_item_id) as options`;

const documentOf = (name: MailedDocument, total: string, parcels = `'[]'::json`) => `
  select d.order_id, d.increment_id, ${total} as total,
    ${linesOf(`sales_${name}_item`, 'i.parent_id = d.entity_id')} as lines,
    ${parcels} as parcels,
    (select c.comment from sales_document_comment c
     where c.document = '${name}' and c.parent_id = d.entity_id and c.is_customer_notified = 1
     order by c.entity_id limit 1) as remark
  from sales_${name} d where $document::text = '${name}' and d.entity_id = $documentId`;

const selectDocumentToMail = sql('post-receipt-mail.selectDocumentToMail', {
  gives: {
    lines: definite(listOf({ name: text, qty: quantity, options: json<ShownOption[]>() })),
    parcels: definite(listOf({ title: text, number: text })),
  },
})`
  select o.customer_email, o.store_id, o.increment_id as order_increment_id, d.increment_id,
    o.order_currency_code as currency_code, d.total, v.name as store_name, v.locale, d.lines, d.parcels, d.remark
  from (
    select s.entity_id as order_id, s.increment_id, s.grand_total as total,
      ${linesOf('sales_order_item', 'i.order_id = s.entity_id and i.parent_item_id is null')} as lines,
        '[]'::json as parcels,
      null::text as remark
    from sales_order s where $document::text = 'order' and s.entity_id = $documentId
    union all ${documentOf('invoice', 'd.grand_total')}
    union all ${documentOf('creditmemo', 'd.grand_total')}
    union all ${documentOf(
      'shipment',
      'null::numeric',
      `(select coalesce(json_agg(json_build_object('title', t.title, 'number', t.track_number) order by t.entity_id),
        '[]')
        from sales_shipment_track t where t.parent_id = d.entity_id)`,
    )}
  ) d
  join sales_order o on o.entity_id = d.order_id
  join store_view v on v.store_id = o.store_id`;
