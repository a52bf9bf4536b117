import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import type { SearchField } from '../../support/fields.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { inOneSnapshot } from '../../support/one-snapshot.ts';
import { searchesGrowing, type RecordsOfPage } from '../../support/search-growing.ts';
import type { Found } from '../../support/search.ts';
import { sheetRowOf, type SheetRow } from '../../support/sheet-row.ts';
import { DocumentComment, OrderComment, type commentedDocuments } from './order-parts.entity.ts';
import { Order } from './order.entity.ts';

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
  /** Searches documents by any of their columns. */
  search: (em: EntityManager, criteria: SearchCriteria) => Promise<Found<DocumentSheet>>;
}

/** A document of an order, as its entity has it. */
interface DocumentRecord {
  entityId: number;
  orderId: number;
  items: Iterable<object>;
  tracks?: Iterable<object>;
}

export interface DocumentKind {
  entity: EntitySchemaWithMeta;
  item: EntitySchemaWithMeta;
  /** Its parcels, where it has any. */
  track?: EntitySchemaWithMeta;
  /** The table's alias in the fields' columns. */
  alias: string;
  document: CommentedDocument;
  fields: Readonly<Record<string, SearchField>>;
}

type CommentedDocument = (typeof commentedDocuments)[number];

const tables = { invoice: 'sales_invoice', creditmemo: 'sales_creditmemo', shipment: 'sales_shipment' } as const;

/** What a document shows of its order. */
const orderKeys = [
  ...(['entityId', 'baseCurrencyCode', 'globalCurrencyCode', 'orderCurrencyCode', 'storeCurrencyCode'] as const),
  ...(['baseToGlobalRate', 'baseToOrderRate', 'storeToBaseRate', 'storeToOrderRate'] as const),
  ...(['billingAddressId', 'shippingAddressId'] as const),
] as const;

/** Makes the functions that read one kind of an order's documents. */
export function createDocumentReader(kind: DocumentKind): DocumentReader {
  const { alias, document, fields } = kind;
  const table = tables[document];
  return {
    read: async (em, documentId) => {
      const [sheet] = await readSheets(em, kind, { ids: [documentId] });
      if (!sheet) throw noSuchDocument();
      return sheet;
    },
    search: searchesGrowing({
      // A left join, so that PostgreSQL skips the order when no field needs it.
      table: `${table} ${alias} left join sales_order o on o.entity_id = ${alias}.order_id`,
      fields,
      order: `${alias}.entity_id`,
      kept: { list: table, alias },
      read: (em, page) => readSheets(em, kind, page),
      idOf: (sheet) => Number(sheet.document['entity_id']),
    }),
  };
}

/** Documents with their lines, comments and what they show of their orders, from one snapshot. */
const readSheets = (
  em: EntityManager,
  { entity, item, track, document }: DocumentKind,
  page: RecordsOfPage,
): Promise<DocumentSheet[]> =>
  inOneSnapshot(em, async (tx) => {
    const populate = track ? ['items', 'tracks'] : ['items'];
    // Three entities that have these properties; their full types do not fit one another.
    const documents = entity as unknown as EntitySchemaWithMeta<string, string, DocumentRecord>;
    const found = await tx.find(documents, 'ids' in page ? { entityId: { $in: [...page.ids] } } : {}, {
      populate: populate as never,
      strategy: 'select-in',
      ...('ids' in page ? {} : { orderBy: { entityId: page.direction }, limit: page.limit, offset: page.offset }),
    });
    const parentIds = found.map(({ entityId }) => entityId);
    const comments = await tx.find(
      DocumentComment,
      { document, parentId: { $in: parentIds } },
      { orderBy: newestFirst },
    );
    const orders = await tx.find(
      Order,
      { entityId: { $in: [...new Set(found.map(({ orderId }) => orderId))] } },
      { fields: orderKeys },
    );
    const commentsOf = Map.groupBy(comments, ({ parentId }) => parentId);
    const orderOf = new Map(orders.map((order) => [order.entityId, sheetRowOf(Order, order, orderKeys)]));
    return found.map((one) => ({
      document: { ...sheetRowOf(entity, one), ...(track ? { tracks: rowsOf(track, one.tracks ?? []) } : {}) },
      items: rowsOf(item, one.items),
      comments: (commentsOf.get(one.entityId) ?? []).map((comment) => sheetRowOf(DocumentComment, comment)),
      order: orderOf.get(one.orderId) ?? {},
    }));
  });

const newestFirst = { createdAt: 'desc', entityId: 'desc' } as const;

const rowsOf = (entity: EntitySchemaWithMeta, records: Iterable<object>): SheetRow[] =>
  [...records]
    .map((record) => sheetRowOf(entity, record))
    .toSorted((one, other) => Number(one['entity_id']) - Number(other['entity_id']));

/** A limit for one answer; no order has this many comments in practice. */
const maxComments = 1_000;

/** The comments of a document, newest first; none for an unknown one (platform facts 3.5). */
export async function readDocumentComments(
  em: EntityManager,
  document: CommentedDocument,
  parentId: number,
): Promise<SheetRow[]> {
  const comments = await freshReads(em).find(
    DocumentComment,
    { document, parentId },
    { orderBy: newestFirst, limit: maxComments },
  );
  return comments.map((comment) => sheetRowOf(DocumentComment, comment));
}

/** The history of an order, newest first; empty for an unknown order (platform facts 3.5). */
export async function readOrderComments(em: EntityManager, orderId: number): Promise<SheetRow[]> {
  const comments = await freshReads(em).find(
    OrderComment,
    { parentId: orderId },
    { orderBy: newestFirst, limit: maxComments },
  );
  return comments.map((comment) => sheetRowOf(OrderComment, comment));
}
