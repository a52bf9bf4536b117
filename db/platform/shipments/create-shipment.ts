import type { EntityManager } from '@mikro-orm/postgresql';
import { plus, type Quantity } from '../../../domain/money/quantity.ts';
import { refuseDocument, type ChosenLine, type WantedLine } from '../../../domain/platform/document-lines.ts';
import { shipmentLines, shipmentErrors } from '../../../domain/platform/shipment-quantities.ts';
import { stockSkuOf } from '../../../domain/platform/sku-of-line.ts';
import { saveRows } from '../../support/kept-rows.ts';
import { into, type Written } from '../../support/write-rows.ts';
import { deductFromSource } from '../inventory/deduct-from-source.ts';
import { reserve } from '../inventory/reserve.ts';
import { documentComments, type DocumentRemark } from '../orders/add-document-comment.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { drawsNumbers } from '../orders/draw-document-numbers.ts';
import { rowsOfOrder, withOrder, type LockedOrder, type OrderLine } from '../orders/lock-order.ts';
import { chooseSource } from './choose-source.ts';
import { Shipment, ShipmentItem, ShipmentTrack } from './shipment.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

export interface PostedTrack {
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
  items?: readonly WantedLine[];
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
  await deductFromSource(em, ...lines.map((line) => ({ ...line, sourceCode })));
}
