import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { type Quantity, minimum, minus, none, plus } from '../../domain/money/quantity.ts';
import { type Arrived, arrivedOf } from '../../domain/returns/arrived.ts';
import { type Destination, routeReturnedLine } from '../../domain/returns/stock-routing.ts';
import { refuseBrokenPieces } from '../../domain/returns/whole-pieces.ts';
import { moveStock, type StockMove } from '../platform/inventory/move-stock.ts';
import { reserve } from '../platform/inventory/reserve.ts';
import { type LockedOrder } from '../platform/orders/lock-order.ts';
import { goodsPlaces, type LinePlace } from './goods-places.ts';
import type { OrderAndReturn, ReturnLine } from './lock-return.ts';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import type { NewRowOf } from '../support/entity-columns.ts';
import { StockMovement } from './return.entity.ts';
import { shopNow } from '../support/shop-clock.ts';

type Place = Exclude<Destination, { kind: 'unknown' }>;

/**
 * Receives the goods of an approved return: the condition decides where each line goes, once (spec 4.8).
 *
 * A line moves at most once: its movement row is unique. The reservation of goods never handed over ends, so that a
 * finished order has none. Those goods stay in stock unless an inspection moves them or writes them off; then a
 * source with too few of them is skipped, as in the platform's refunds.
 *
 * Refused with 400 when a line has no known destination, a source does not exist, or a part of a whole piece came;
 * then nothing has moved.
 */
export async function receiveGoods(em: EntityManager, locked: OrderAndReturn): Promise<void> {
  const arrival = await planArrival(em, locked);
  await insertRows(em, [arrival.movements]);
  await moveArrival(em, locked.order, arrival);
}

/** Goods that are about to come in: what is written down of them, and where they go. */
export interface PlannedArrival {
  /** To be written before the goods move: a line moves at most once. */
  movements: Written;
  moves: readonly StockMove[];
  promised: readonly { sku: string; qty: Quantity }[];
}

/** Decides where the goods of an approved return go, and marks them as taken in. Nothing is written. Refusals as above. */
export async function planArrival(em: EntityManager, { order, rma }: OrderAndReturn): Promise<PlannedArrival> {
  refuseBrokenPieces(soldAs(order), rma.items.flatMap(moved));
  const places = await goodsPlaces(em, rma);
  const moves: StockMove[] = [];
  const movements: NewRowOf<typeof StockMovement>[] = [];
  const promised: { sku: string; qty: Quantity }[] = [];
  for (const item of rma.items) {
    const place = places.get(item.orderItemId);
    const destination = destinationOf(item, place);
    const arrived = arrivedOf({ requested: item.qtyRequested, received: received(item) }, place);
    const sku = place?.stockSku ?? item.productSku;
    promised.push({ sku, qty: arrived.neverShipped });
    moves.push(...movesOf(sku, { arrived, destination, origin: place?.originSourceCode ?? null }));
    if (place) place.qtyCameBack = plus(place.qtyCameBack, minus(item.qtyRequested, arrived.neverShipped));
    movements.push(movementOf({ item, sku, destination, qtyNeverShipped: arrived.neverShipped }));
    item.qtyReturned = received(item);
    item.status = 'items_received';
  }
  rma.status = 'items_received';
  return { movements: into(StockMovement, movements), moves, promised };
}

/** Moves goods that were planned. Stock is locked last: nothing else is locked after it. */
export async function moveArrival(
  em: EntityManager,
  order: LockedOrder,
  { moves, promised }: PlannedArrival,
): Promise<void> {
  await reserve(em, {
    orderId: order.entityId,
    storeId: order.storeId,
    eventType: 'creditmemo_created',
    lines: promised,
  });
  await moveStock(em, moves);
}

const soldAs = (order: LockedOrder) =>
  order.lines.map(({ itemId, sku, isQtyDecimal }) => ({ orderItemId: itemId, sku, isQtyDecimal }));

/** The quantity that is refunded, and the quantity that goes into stock. */
const moved = (item: ReturnLine) =>
  [item.qtyRequested, received(item)].map((qty) => ({ orderItemId: item.orderItemId, qty }));

const received = (item: ReturnLine): Quantity => minimum(item.qtyReceived ?? item.qtyRequested, item.qtyRequested);

function destinationOf(item: ReturnLine, place: LinePlace | undefined): Place {
  const qty = received(item);
  if (!place?.isStockManaged) return { kind: 'written_off', qty };
  const destination = routeReturnedLine(item, place);
  if (destination.kind === 'unknown' && qty === none) return { kind: 'written_off', qty };
  if (destination.kind === 'unknown') throw noPlace(destination.condition, item.productSku);
  return destination;
}

interface Sent {
  arrived: Arrived;
  destination: Place;
  /** The source with the goods that were never handed over. */
  origin: string | null;
}

function movesOf(sku: string, { arrived: { cameBack, lookedAt }, destination, origin }: Sent): StockMove[] {
  const target = destination.kind === 'source' ? destination.sourceCode : null;
  const moved = target === origin ? none : lookedAt;
  return [
    ...(target === null ? [] : [{ sku, sourceCode: target, qty: plus(cameBack, moved) }]),
    ...(origin === null ? [] : [{ sku, sourceCode: origin, qty: minus(none, moved), isAsFarAsThere: true }]),
  ];
}

function noPlace(condition: 'pristine' | 'damaged', sku: string) {
  return condition === 'damaged'
    ? invalid(
        'The location has no source for damaged goods, so "%1" cannot be received. Set one or choose another condition.',
        [sku],
      )
    : invalid('No inventory source is known for "%1", so it cannot be received. Give the location a source.', [sku]);
}

interface Arrival {
  item: ReturnLine;
  /** Under which it is stocked. */
  sku: string;
  destination: Place;
  qtyNeverShipped: Quantity;
}

const movementOf = ({ item, sku, destination, qtyNeverShipped }: Arrival): NewRowOf<typeof StockMovement> => ({
  returnItemId: item.entityId,
  kind: 'received',
  sku,
  sourceCode: destination.kind === 'source' ? destination.sourceCode : null,
  quantity: destination.qty,
  qtyNeverShipped,
  inspectedCondition: item.inspectedCondition,
  createdAt: shopNow(),
});
