import type { EntityManager } from '@mikro-orm/postgresql';
import { plus } from '../../../domain/money/quantity.ts';
import { refuseDocument, type ChosenLine, type WantedLine } from '../../../domain/platform/document-lines.ts';
import { shipmentLines, whatForbidsShipment } from '../../../domain/platform/shipment-quantities.ts';
import { deductFromSource } from '../inventory/deduct-from-source.ts';
import { reserve } from '../inventory/reserve.ts';
import { addDocumentComment, type DocumentRemark } from '../orders/add-document-comment.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { withOrder, type LockedOrder, type OrderLine } from '../orders/lock-order.ts';
import { nextIncrementId } from '../orders/next-increment-id.ts';
import { chooseSource } from './choose-source.ts';
import { Shipment, ShipmentItem } from './shipment.entity.ts';

export interface ShipmentTrack {
  trackNumber: string;
  title: string;
  carrierCode: string;
}

export interface ShipmentRequest {
  orderId: number;
  /** Everything left to hand over when empty. */
  items?: readonly WantedLine[];
  tracks?: readonly ShipmentTrack[];
  sourceCode?: string | undefined;
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
    const shipment = await writeShipment(tx, { order, chosen, sourceCode, tracks: request.tracks ?? [] });
    await applyOrderState(tx, order, 'shipment');
    await tx.flush();
    await takeGoods(tx, { order, chosen, sourceCode });
    if (request.comment) {
      await addDocumentComment(tx, { document: 'shipment', parentId: shipment.entityId, ...request.comment });
    }
    return shipment.entityId;
  });

function chooseLines(order: LockedOrder, { items = [], tracks = [] }: ShipmentRequest): ChosenLine<OrderLine>[] {
  const { state, status, isVirtual } = order;
  const lines = order.lines.filter((line) => line.parentItemId == null);
  const chosen = shipmentLines(lines, items);
  refuseDocument('Shipment', whatForbidsShipment({ state, status, isVirtual, lines }, chosen, tracks));
  return chosen;
}

interface Handover {
  order: LockedOrder;
  chosen: readonly ChosenLine<OrderLine>[];
  sourceCode: string;
}

async function writeShipment(
  em: EntityManager,
  { order, chosen, sourceCode, tracks }: Handover & { tracks: readonly ShipmentTrack[] },
): Promise<Shipment> {
  const shipment = em.create(Shipment, {
    orderId: order.entityId,
    incrementId: await nextIncrementId(em, 'shipment', order.storeId),
    storeId: order.storeId,
    sourceCode,
    totalQty: plus(...chosen.map(({ qty }) => qty)),
    tracks: tracks.map(({ trackNumber, title, carrierCode }) => ({
      track_number: trackNumber,
      title,
      carrier_code: carrierCode,
    })),
  });
  for (const { line, qty } of chosen) {
    const { itemId: orderItemId, productId, sku, name } = line;
    em.create(ShipmentItem, { shipment, orderItemId, productId, sku, name, qty });
    line.qtyShipped = plus(line.qtyShipped, qty);
  }
  return shipment;
}

/** Last, because source items are locked last. */
async function takeGoods(em: EntityManager, { order, chosen, sourceCode }: Handover): Promise<void> {
  const lines = chosen.map(({ line, qty }) => ({ sku: line.sku, qty }));
  await reserve(em, { orderId: order.entityId, storeId: order.storeId, eventType: 'shipment_created', lines });
  await deductFromSource(em, ...lines.map((line) => ({ ...line, sourceCode })));
}
