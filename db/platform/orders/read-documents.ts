import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import type { SearchField } from '../../support/fields.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { inOneSnapshot } from '../../support/one-snapshot.ts';
import type { Found } from '../../support/search.ts';
import { sheetRowOf, type SheetRow } from '../../support/sheet-row.ts';
import { DocumentComment, OrderComment, type commentedDocuments } from './order-parts.entity.ts';
import { Order } from './order.entity.ts';
import { searchesDocuments, type DocumentSheet } from './search-documents.ts';

export interface DocumentReader {
  /** One document. Refused with: 404 unknown document. */
  read: (em: EntityManager, documentId: number) => Promise<DocumentSheet>;
  /** Searches documents by any of their columns. One round trip. */
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
  const { alias, document, fields, track } = kind;
  return {
    read: async (em, documentId) => {
      const sheet = await readSheet(em, kind, documentId);
      if (!sheet) throw noSuchDocument();
      return sheet;
    },
    search: searchesDocuments({ table: tables[document], alias, document, fields, hasTracks: track !== undefined }),
  };
}

/** A document with its lines, comments and what it shows of its order, from one snapshot. */
const readSheet = (
  em: EntityManager,
  { entity, item, track, document }: DocumentKind,
  documentId: number,
): Promise<DocumentSheet | undefined> =>
  inOneSnapshot(em, async (tx) => {
    const populate = track ? ['items', 'tracks'] : ['items'];
    // Three entities that have these properties; their full types do not fit one another.
    const documents = entity as unknown as EntitySchemaWithMeta<string, string, DocumentRecord>;
    const found = await tx.findOne(
      documents,
      { entityId: documentId },
      { populate: populate as never, strategy: 'select-in' },
    );
    if (!found) return undefined;
    const comments = await tx.find(DocumentComment, { document, parentId: documentId }, { orderBy: newestFirst });
    const order = await tx.findOne(Order, { entityId: found.orderId }, { fields: orderKeys });
    return {
      document: { ...sheetRowOf(entity, found), ...(track ? { tracks: rowsOf(track, found.tracks ?? []) } : {}) },
      items: rowsOf(item, found.items),
      comments: comments.map((comment) => sheetRowOf(DocumentComment, comment)),
      order: order ? sheetRowOf(Order, order, orderKeys) : {},
    };
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
