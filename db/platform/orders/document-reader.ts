import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer, json, surely } from '../../support/kinds.ts';
import type { SearchField } from '../../support/search-field.ts';
import { search, type Found } from '../../support/search.ts';
import { statement } from '../../support/statement.ts';
import type { commentedDocuments } from './document-comment.entity.ts';
import type { SheetRow } from './sheet-row.ts';

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
      document: surely(json<SheetRow>()),
      items: surely(json<SheetRow[]>()),
      comments: surely(json<SheetRow[]>()),
      order: surely(json<SheetRow>()),
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
