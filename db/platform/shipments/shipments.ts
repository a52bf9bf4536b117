import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { minus, none, plus, type Quantity } from '../../../domain/money.ts';
import { refuseDocument, type ChosenLine, type RequestedLine } from '../../../domain/platform/document-lines.ts';
import { shipmentErrors, shipmentLines } from '../../../domain/platform/order-state.ts';
import { stockSkuOf } from '../../../domain/platform/placement.ts';
import { notTakenFromStock, type StockChange } from '../../../domain/platform/stock-changes.ts';
import { trackingNotSaved } from '../../../domain/refusals/documents.ts';
import { sourceNotFound } from '../../../domain/refusals/inventory.ts';
import { integer, json, orNull, quantity, text } from '../../support/entity-columns.ts';
import { fieldsOfTable } from '../../support/fields.ts';
import { saveRows } from '../../support/save-rows.ts';
import { shopNow } from '../../support/shop-clock.ts';
import { sql } from '../../support/sql.ts';
import { into, type Written } from '../../support/write-rows.ts';
import { reserve } from '../inventory/move-stock.ts';
import { deductFromSource, existingSources } from '../inventory/source-items.ts';
import { documentOrderFields } from '../invoices/invoices.ts';
import { applyOrderState, documentComments, drawsNumbers, noteInHistory } from '../orders/add-order-comment.ts';
import { rowsOfOrder, withOrder, type LockedOrder, type OrderLine } from '../orders/lock-order.ts';
import { createDocumentReader } from '../orders/read-documents.ts';
import type { SheetRow } from '../../support/sheet-row.ts';
import { Shipment, ShipmentItem, ShipmentTrack } from './shipment.entity.ts';
import type { DocumentRemark } from '../orders/document-remark.ts';

/** The platform's name of the source with which every shop starts. */
const defaultSourceCode = 'default';

/**
 * The source of a shipment: the one named, else the stock's only one, else `default` (platform facts 10).
 *
 * Without a source of that name, the stock's first by priority (our choice).
 *
 * Refused with: 404 an unknown source, or a stock without sources.
 */
async function chooseSource(
  em: EntityManager,
  { storeId, named }: { storeId: number; named: string | undefined },
): Promise<string> {
  const requested = named ?? (await sourceOfStock(em, storeId));
  if (!(await existingSources(em, [requested])).has(requested)) throw sourceNotFound({ value: requested });
  return requested;
}

async function sourceOfStock(em: EntityManager, storeId: number): Promise<string> {
  const codes = (await sourcesOf.all(em, { storeId })).map((row) => row.sourceCode);
  return codes.length === 1 || !codes.includes(defaultSourceCode) ? (codes[0] ?? defaultSourceCode) : defaultSourceCode;
}

const sourcesOf = sql('shipments.sourcesOf')`
  select l.source_code from store_view v
    join website w on w.website_id = v.website_id
    join inventory_stock s on s.website_codes @> to_jsonb(array[w.code])
    join inventory_stock_source l on l.stock_id = s.stock_id
  where v.store_id = $storeId order by l.priority, l.source_code`;

interface PostedTrack {
  trackNumber: string;
  title: string;
  carrierCode: string;
  description?: string | undefined;
  weight?: Quantity | undefined;
  qty?: Quantity | undefined;
}

export interface ShipmentRequest {
  orderId: number;
  /** Everything left to hand over when empty. */
  items?: readonly RequestedLine[];
  tracks?: readonly PostedTrack[];
  sourceCode?: string | undefined;
  /** The caller's own number; absent: the next one. */
  incrementId?: string | undefined;
  comment?: DocumentRemark;
}

/**
 * Ships goods of an order: they leave their source, and their reservation ends (platform facts 5.5, 10).
 *
 * Under the order lock, then the source items'. Shipped goods cannot be shipped again, so of concurrent calls one
 * succeeds.
 *
 * Refused with: 404 unknown order or source · 400 `Shipment Document Validation Error(s):` · 400 when the source has
 * less.
 *
 * @returns the shipment's id
 */
export const createShipment = (em: EntityManager, request: ShipmentRequest): Promise<number> =>
  withOrder(em, request.orderId, async (tx, order) => {
    const chosen = chooseLines(order, request);
    const sourceCode = await chooseSource(tx, { storeId: order.storeId, named: request.sourceCode });
    const { tracks = [], incrementId } = request;
    const { shipmentId, rows } = await draftShipment(tx, { order, chosen, sourceCode, tracks, incrementId });
    await applyOrderState(tx, order, 'shipment');
    const remarks = request.comment
      ? [{ document: 'shipment' as const, parentId: shipmentId, ...request.comment }]
      : [];
    await saveRows(tx, rowsOfOrder(order), [...rows, documentComments(remarks)]);
    await takeGoods(tx, { order, chosen, sourceCode });
    return shipmentId;
  });

function chooseLines(order: LockedOrder, { items = [], tracks = [] }: ShipmentRequest): ChosenLine<OrderLine>[] {
  const { state, status, isVirtual } = order;
  const lines = order.lines.filter((line) => line.parentItemId == null);
  const chosen = shipmentLines(lines, items);
  refuseDocument('Shipment', shipmentErrors({ state, status, isVirtual, lines }, chosen, tracks));
  return chosen;
}

interface Handover {
  order: LockedOrder;
  chosen: readonly ChosenLine<OrderLine>[];
  sourceCode: string;
}

/** The rows of a shipment that is not written yet; the lines of its order include it already. */
async function draftShipment(
  em: EntityManager,
  {
    order,
    chosen,
    sourceCode,
    tracks,
    incrementId,
  }: Handover & { tracks: readonly PostedTrack[]; incrementId: string | undefined },
): Promise<{ shipmentId: number; rows: readonly Written[] }> {
  const drawn = await draw(em, order.storeId, incrementId);
  const now = shopNow();
  const shipment = {
    ...drawn,
    orderId: order.entityId,
    storeId: order.storeId,
    sourceCode,
    totalQty: plus(...chosen.map(({ qty }) => qty)),
    createdAt: now,
    updatedAt: now,
  };
  const items = chosen.map(({ line: { itemId: orderItemId, productId, sku, name }, qty }) => {
    return { shipment: drawn.entityId, orderItemId, productId, sku, name, qty };
  });
  const parcels = tracks.map((track) => parcelOf(drawn.entityId, order.entityId, track));
  for (const { line, qty } of chosen) line.qtyShipped = plus(line.qtyShipped, qty);
  return {
    shipmentId: drawn.entityId,
    rows: [into(Shipment, [shipment]), into(ShipmentItem, items), into(ShipmentTrack, parcels)],
  };
}

const parcelOf = (shipment: number, orderId: number, track: PostedTrack) => ({
  shipment,
  orderId,
  trackNumber: track.trackNumber,
  title: track.title,
  carrierCode: track.carrierCode,
  description: track.description ?? null,
  weight: track.weight ?? null,
  qty: track.qty ?? null,
});

/** Its id and its number are drawn first, so that shipment and lines are written together. */
const draw = drawsNumbers('shipment');

/** Last of all, because source items are locked last. */
async function takeGoods(em: EntityManager, { order, chosen, sourceCode }: Handover): Promise<void> {
  const lines = chosen.map(({ line, qty }) => ({ sku: stockSkuOf(line), qty }));
  await reserve(em, { orderId: order.entityId, storeId: order.storeId, eventType: 'shipment_created', lines });
  const changes = await deductFromSource(em, ...lines.map((line) => ({ ...line, sourceCode })));
  await noteNotTaken(em, order, changes);
}

/** Goods that were reserved when they were sold and leave no row now are in the history; others never had one. */
async function noteNotTaken(em: EntityManager, order: LockedOrder, changes: readonly StockChange[]): Promise<void> {
  const unmoved = changes.flatMap(({ sku, requested, why }) =>
    why === null ? [] : [{ sku, qty: minus(none, requested), why }],
  );
  if (unmoved.length === 0) return;
  const { entityId: orderId } = order;
  const reserved = new Set((await reservedAmong.all(em, { orderId, skus: unmoved.map(({ sku }) => sku) })).map(bySku));
  const comments = unmoved.filter(({ sku }) => reserved.has(sku)).map(notTakenFromStock);
  await noteInHistory(em, order, { entityName: 'shipment', comments });
}

const bySku = ({ sku }: { sku: string }) => sku;

const reservedAmong = sql('shipments.reservedAmong')`
  select distinct sku from inventory_reservation where order_id = $orderId and sku = any($skus::text[])`;

const fieldsOf = fieldsOfTable('s', Shipment);
const { billing_address_id, shipping_address_id } = documentOrderFields;

/** Reads shipments. See `DocumentReader`. */
export const { read: readShipment, search: searchShipments } = createDocumentReader({
  entity: Shipment,
  item: ShipmentItem,
  track: ShipmentTrack,
  alias: 's',
  document: 'shipment',
  fields: {
    ...Object.fromEntries([
      ...fieldsOf('integer', ['entity_id', 'order_id', 'store_id']),
      ...fieldsOf('code', ['increment_id']),
      ...fieldsOf('text', ['source_code']),
      ...fieldsOf('timestamp', ['created_at', 'updated_at']),
      ...fieldsOf('decimal', ['total_qty']),
    ]),
    // Always new: a shipment is never taken back (our choice).
    shipment_status: { column: '1::integer', type: 'integer' },
    ...(billing_address_id && shipping_address_id ? { billing_address_id, shipping_address_id } : {}),
  },
});

/** Keeps a label with its shipment. A repeat keeps the same one. Refused with: 404 unknown shipment. */
export async function keepShipmentLabel(
  em: EntityManager,
  label: { shipmentId: number; shippingLabel: string },
): Promise<void> {
  if ((await keep.run(em, label)) === 0) throw noSuchDocument();
}

const keep = sql('shipments.keep')`
  update sales_shipment set shipping_label = $shippingLabel, updated_at = now() where entity_id = $shipmentId`;

/** A parcel as a caller saves it: a new one of a shipment, or with its id an existing one. */
export interface TrackToSave extends PostedTrack {
  entityId?: number | undefined;
  /** The shipment. */
  parentId: number;
  orderId: number;
}

/**
 * Saves a parcel of a shipment (platform facts 5.5). With an id a repeat leaves the same parcel; without one it adds
 * another.
 *
 * Refused with: 400 a shipment of another order, no number · 404 an unknown parcel.
 */
export async function saveTrack(em: EntityManager, track: TrackToSave): Promise<SheetRow> {
  const { entityId, parentId, orderId, trackNumber, title, carrierCode } = track;
  if (trackNumber === '') throw trackingNotSaved();
  const { description = null, weight = null, qty = null } = track;
  const words = { parentId, orderId, trackNumber, title, carrierCode, description, weight, qty };
  if (entityId === undefined) {
    const made = await insert.first(em, words);
    if (!made) throw trackingNotSaved();
    return made.track;
  }
  const changed = await update.first(em, { ...words, entityId });
  if (!changed) throw noSuchDocument();
  return changed.track;
}

const words = {
  parentId: integer,
  orderId: integer,
  trackNumber: text,
  title: text,
  carrierCode: text,
  description: orNull(text),
  weight: orNull(quantity),
  qty: orNull(quantity),
};

const insert = sql('shipments.insert', { takes: words, gives: { track: json<SheetRow>() } })`
  with track as (
    insert into sales_shipment_track
      (parent_id, order_id, track_number, title, carrier_code, description, weight, qty, created_at, updated_at)
    select s.entity_id, s.order_id, $trackNumber, $title, $carrierCode, $description, $weight, $qty, now(), now()
    from sales_shipment s where s.entity_id = $parentId and s.order_id = $orderId
    returning *)
  select to_json(track) as track from track`;

const update = sql('shipments.update', { takes: words, gives: { track: json<SheetRow>() } })`
  with track as (
    update sales_shipment_track set track_number = $trackNumber, title = $title, carrier_code = $carrierCode,
      description = coalesce($description, description), weight = coalesce($weight, weight), qty = coalesce($qty,
        qty),
      updated_at = now()
    where entity_id = $entityId and parent_id = $parentId and order_id = $orderId
    returning *)
  select to_json(track) as track from track`;
