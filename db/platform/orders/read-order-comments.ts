import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { noSuchOrder } from '../../../domain/refusals/platform.ts';
import { flag, integer, json, definite, text } from '../../support/entity-columns.ts';
import type { SearchField } from '../../support/fields.ts';
import { of } from '../../support/rows.ts';
import { search, type Found } from '../../support/search.ts';
import { statement } from '../../support/statement.ts';
import type { DocumentRemark } from './add-order-comment.ts';
import { OrderPayment, type commentedDocuments } from './order-parts.entity.ts';

/** A limit for one answer; no order has this many comments in practice. */
const maxComments = 1_000;

/** The history of an order, newest first; empty for an unknown order (platform facts 3.5). */
export async function readOrderComments(em: EntityManager, orderId: number): Promise<SheetRow[]> {
  const rows = await selectOrderComments.all(em, { orderId, maxComments });
  return rows.map(({ line }) => line);
}

const selectOrderComments = statement({
  takes: { orderId: integer, maxComments: integer },
  gives: { line: definite(json<SheetRow>()) },
  text: `
    select to_json(c) as line from sales_order_status_history c
    where c.parent_id = $orderId order by c.created_at desc, c.entity_id desc limit $maxComments`,
});

/** How an order is paid. Refused with: 404 unknown order · 400 the id 0. */
export async function methodOfOrder(em: EntityManager, orderId: number): Promise<string> {
  const payment = await readMethodOfOrder.first(em, { orderId });
  if (!payment) throw noSuchOrder(orderId);
  return payment.method;
}

const readMethodOfOrder = statement({
  takes: { orderId: integer },
  gives: of(OrderPayment, 'method'),
  text: 'select method from sales_order_payment where order_id = $orderId',
});

export interface OrderStatusRow {
  status: string;
  label: string;
  /** The states that may show it, by name; empty for a merchant's own status without a state. */
  states: string[];
  /** Whether one of its states starts with it. */
  is_default: boolean;
}

/** Every registered status by label, also the merchant's own (platform facts 5.3). */
export const readOrderStatuses = (em: EntityManager): Promise<OrderStatusRow[]> => selectOrderStatuses.all(em);

const selectOrderStatuses = statement({
  takes: {},
  gives: { status: text, label: text, states: definite(json<string[]>()), is_default: definite(flag) },
  text: `
    select s.status, s.label,
      coalesce(jsonb_agg(t.state order by t.state) filter (where t.state is not null), '[]') as states,
      coalesce(bool_or(t.is_default), false) as is_default
    from sales_order_status s left join sales_order_status_state t using (status)
    group by s.status, s.label order by s.label, s.status`,
});

/** An invoice, a credit memo or a shipment with everything that its answer shows. */
export interface DocumentSheet {
  document: SheetRow;
  items: readonly SheetRow[];
  /** Newest first. */
  comments: readonly SheetRow[];
  /** The order's currencies, rates and addresses. */
  order: SheetRow;
}

export interface DocumentReader {
  /** One document. Refused with: 404 unknown document. */
  read: (em: EntityManager, documentId: number) => Promise<DocumentSheet>;
  /** Searches documents by any of their columns. One round trip. */
  search: (em: EntityManager, criteria: SearchCriteria) => Promise<Found<DocumentSheet>>;
}

export interface DocumentTable {
  /** Its lines are in `<table>_item`. */
  table: 'sales_invoice' | 'sales_creditmemo' | 'sales_shipment';
  /** The table's alias in the fields' columns. */
  alias: string;
  document: (typeof commentedDocuments)[number];
  /** More columns of the document from other tables, as SQL of a JSON object. */
  more?: string;
  fields: Readonly<Record<string, SearchField>>;
}

/** Makes the functions that read one kind of an order's documents. */
export function createDocumentReader({ table, alias, document, more, fields }: DocumentTable): DocumentReader {
  // A left join, so that PostgreSQL skips the order when no field needs it.
  const from = `${table} ${alias} left join sales_order o on o.entity_id = ${alias}.order_id`;
  const columns = sheetColumns({ table, alias, document, ...(more === undefined ? {} : { more }) });
  const readOne = statement({
    takes: { documentId: integer },
    gives: {
      document: definite(json<SheetRow>()),
      items: definite(json<SheetRow[]>()),
      comments: definite(json<SheetRow[]>()),
      order: definite(json<SheetRow>()),
    },
    text: `select ${columns} from ${from} where ${alias}.entity_id = $documentId`,
  });
  return {
    read: async (em, documentId) => {
      const sheet = await readOne.first(em, { documentId });
      if (!sheet) throw noSuchDocument();
      return sheet;
    },
    search: (em, criteria) =>
      search<DocumentSheet>(em, criteria, {
        table: from,
        columns,
        fields,
        order: `${alias}.entity_id`,
        kept: { list: table, alias },
      }),
  };
}

const sheetColumns = ({ table, alias, document, more }: Omit<DocumentTable, 'fields'>) => `
  ${more === undefined ? `to_json(${alias})` : `to_jsonb(${alias}) || ${more}`} as document,
  (select coalesce(json_agg(l order by l.entity_id), '[]') from ${table}_item l where l.parent_id = ${alias}.entity_id) as items,
  (select coalesce(json_agg(c order by c.created_at desc, c.entity_id desc), '[]') from sales_document_comment c
   where c.document = '${document}' and c.parent_id = ${alias}.entity_id) as comments,
  json_build_object(
    'base_currency_code', o.base_currency_code, 'global_currency_code', o.global_currency_code,
    'order_currency_code', o.order_currency_code, 'store_currency_code', o.store_currency_code,
    'base_to_global_rate', o.base_to_global_rate, 'base_to_order_rate', o.base_to_order_rate,
    'store_to_base_rate', o.store_to_base_rate, 'store_to_order_rate', o.store_to_order_rate,
    'billing_address_id', o.billing_address_id, 'shipping_address_id', o.shipping_address_id) as "order"`;

/** A row as JSON has it: numbers are numbers, times are ISO text. */
export type SheetRow = Readonly<Record<string, unknown>>;

type CommentedDocument = (typeof commentedDocuments)[number];

/**
 * Adds a comment to an invoice, a credit memo or a shipment (platform facts 5.5, 6, 7.5). A repeat adds another one.
 *
 * Refused with: 404 unknown document.
 */
export async function commentDocument(
  em: EntityManager,
  input: DocumentRemark & { document: CommentedDocument; parentId: number },
): Promise<SheetRow> {
  const { document, parentId, comment } = input;
  const row = await insertTo[document].first(em, {
    parentId,
    comment,
    isCustomerNotified: input.isCustomerNotified ? 1 : 0,
    isVisibleOnFront: input.isVisibleOnFront ? 1 : 0,
  });
  if (!row) throw noSuchDocument();
  return row.line;
}

const commentOn = (document: CommentedDocument) =>
  statement({
    takes: { parentId: integer, comment: text, isCustomerNotified: integer, isVisibleOnFront: integer },
    gives: { line: json<SheetRow>() },
    text: `
      with line as (
        insert into sales_document_comment
          (document, parent_id, comment, is_customer_notified, is_visible_on_front, created_at)
        select '${document}', d.entity_id, $comment, $isCustomerNotified, $isVisibleOnFront, now()
        from sales_${document} d where d.entity_id = $parentId
        returning *)
      select to_json(line) as line from line`,
  });

const insertTo = {
  invoice: commentOn('invoice'),
  creditmemo: commentOn('creditmemo'),
  shipment: commentOn('shipment'),
} as const satisfies Record<CommentedDocument, unknown>;

/** The comments of a document, newest first; none for an unknown one (platform facts 3.5). */
export async function readDocumentComments(
  em: EntityManager,
  document: (typeof commentedDocuments)[number],
  parentId: number,
): Promise<SheetRow[]> {
  const rows = await selectDocumentComments.all(em, { document, parentId, maxComments });
  return rows.map(({ line }) => line);
}

const selectDocumentComments = statement({
  takes: { document: text, parentId: integer, maxComments: integer },
  gives: { line: definite(json<SheetRow>()) },
  text: `
    select to_json(c) as line from sales_document_comment c
    where c.document = $document and c.parent_id = $parentId order by c.created_at desc, c.entity_id desc
      limit $maxComments`,
});
