import type { EntityManager } from '@mikro-orm/postgresql';
import type { DocumentToTell } from '../../domain/mails/document-letter.ts';
import type { MailedDocument } from '../../domain/mails/mail-life.ts';
import type { ShownOption } from '../../domain/platform/catalog/option-figures.ts';
import { readStoreSetting } from '../configuration/read-store-setting.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amount, integer, json, listOf, orNull, quantity, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { mailableAddress } from './mailable-address.ts';

/**
 * The content and the address of a mail about a document of an order, read when the mail is sent. Reads only.
 *
 * @returns undefined when there is no document or no address, or the address is that of the walk-in customer
 */
export async function readDocumentToTell(
  em: EntityManager,
  { document, documentId }: { document: MailedDocument; documentId: number },
): Promise<{ to: string; document: DocumentToTell } | undefined> {
  const row = await read.first(em, { document, documentId });
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
   from (select i.name, i.sku, ${table === 'sales_order_item' ? ofOrder : ofDocument} from ${table} i where ${where}) l)`;

const ofOrder = 'i.qty_ordered as qty, i.item_id as id, i.entered_options as options';
const ofDocument = `i.qty, i.entity_id as id,
  (select s.entered_options from sales_order_item s where s.item_id = i.order_item_id) as options`;

const documentOf = (name: MailedDocument, total: string, parcels = `'[]'::json`) => `
  select d.order_id, d.increment_id, ${total} as total, ${linesOf(`sales_${name}_item`, 'i.parent_id = d.entity_id')} as lines,
    ${parcels} as parcels,
    (select c.comment from sales_document_comment c
     where c.document = '${name}' and c.parent_id = d.entity_id and c.is_customer_notified = 1
     order by c.entity_id limit 1) as remark
  from sales_${name} d where $document::text = '${name}' and d.entity_id = $documentId`;

const read = statement({
  takes: { document: text, documentId: integer },
  gives: {
    ...of(Order, 'customerEmail', 'storeId'),
    orderIncrementId: text,
    incrementId: surely(text),
    currencyCode: text,
    total: orNull(amount),
    storeName: text,
    locale: text,
    lines: surely(listOf({ name: text, qty: quantity, options: json<ShownOption[]>() })),
    parcels: surely(listOf({ title: text, number: text })),
    remark: orNull(text),
  },
  text: `
    select o.customer_email, o.store_id, o.increment_id as order_increment_id, d.increment_id,
      o.order_currency_code as currency_code, d.total, v.name as store_name, v.locale, d.lines, d.parcels, d.remark
    from (
      select s.entity_id as order_id, s.increment_id, s.grand_total as total,
        ${linesOf('sales_order_item', 'i.order_id = s.entity_id and i.parent_item_id is null')} as lines, '[]'::json as parcels,
        null::text as remark
      from sales_order s where $document::text = 'order' and s.entity_id = $documentId
      union all ${documentOf('invoice', 'd.grand_total')}
      union all ${documentOf('creditmemo', 'd.grand_total')}
      union all ${documentOf(
        'shipment',
        'null::numeric',
        `(select coalesce(json_agg(json_build_object('title', t.title, 'number', t.track_number) order by t.entity_id), '[]')
          from sales_shipment_track t where t.parent_id = d.entity_id)`,
      )}
    ) d
    join sales_order o on o.entity_id = d.order_id
    join store_view v on v.store_id = o.store_id`,
});
