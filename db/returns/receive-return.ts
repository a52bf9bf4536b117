import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { minimum, minus, none, plus, type Quantity } from '../../domain/money.ts';
import { returnNotReceivable } from '../../domain/refusals/returns.ts';
import {
  arrivedOf,
  refuseWrongLines,
  routeReturnedLine,
  type Arrived,
  type Destination,
} from '../../domain/returns/resolution.ts';
import {
  inspectionByCondition,
  isTerminal,
  refuseBrokenPieces,
  type Inspection,
  type ReturnStatus,
} from '../../domain/returns/return-status.ts';
import {
  notPutIntoStock,
  notWrittenOff,
  shareChanges,
  whyUnmoved,
  type WhyUnmoved,
} from '../../domain/platform/stock-changes.ts';
import { findLocation, type LocationRow } from '../locations/location.repository.ts';
import { moveStock, reserve, type StockMove } from '../platform/inventory/move-stock.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { orNull, quantity, definite, text, type Kind, type NewRowOf } from '../support/entity-columns.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import { changeStatus, returnComments } from './add-return-comment.ts';
import {
  changeReturn,
  type LockedReturn,
  type OperationOnReturn,
  type OrderAndReturn,
  type ReturnLine,
} from './lock-return.ts';
import { isTakenIn } from './read-returned.ts';
import { StockMovement } from './return.entity.ts';
import { refuseUnlessReady } from './settle-return.ts';

const whyUnmovedKind = text as Kind<WhyUnmoved>;

/** What is needed about a sold line before its goods can be received. */
type LinePlace = RowFrom<typeof selectReturn>;

/** By order item, in one statement. */
async function goodsPlaces(em: EntityManager, rma: LockedReturn): Promise<Map<number, LinePlace>> {
  const rows = await selectReturn.all(em, { locationId: rma.locationId, orderId: rma.orderId });
  return new Map(rows.map((row) => [row.itemId, row]));
}

const selectReturn = sql('receive-return.selectReturn', {
  gives: { whyUnmoved: orNull(whyUnmovedKind), qtyCameBack: definite(quantity) },
})`
select i.item_id, i.stock_sku, i.is_virtual, i.qty_ordered, i.qty_shipped,
  case when p.sku is null then 'no_product' when not p.manage_stock then 'not_managed' end as why_unmoved,
  (select coalesce(sum(vi.qty_requested - v.qty_never_shipped), 0) from sale_return_movement v
    join sale_return_item vi on vi.entity_id = v.return_item_id
    where vi.order_item_id = i.item_id and ${isTakenIn})
  + (select coalesce(sum(c.qty - c.qty_never_shipped), 0) from sales_creditmemo_item c
    where c.order_item_id = i.item_id and c.qty_never_shipped is not null) as qty_came_back,
  coalesce((select s.source_code from sales_shipment s join sales_shipment_item si on si.parent_id = s.entity_id
    where si.order_item_id = i.item_id order by s.entity_id desc limit 1), l.source_code,
    -- A collapsed return names no location: then the source its store sells from (as a shipment would choose).
    case when l.location_id is null then (
      select k.source_code from store_view v join website w on w.website_id = v.website_id
        join inventory_stock t on t.website_codes @> to_jsonb(array[w.code])
        join inventory_stock_source k on k.stock_id = t.stock_id
      where v.store_id = (select o.store_id from sales_order o where o.entity_id = i.order_id)
      order by k.source_code <> 'default', k.priority, k.source_code limit 1) end) as origin_source_code,
  l.damaged_stock_source_code as damaged_source_code
from sales_order_item i
left join product p on p.sku = coalesce(i.stock_sku, i.sku)
left join pos_location l on l.location_id = $locationId?
where i.order_id = $orderId`;

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
  await insertRows(em, await moveArrival(em, locked, arrival));
}

/** Goods that are about to come in, by line. */
export interface PlannedArrival {
  lines: readonly PlannedLine[];
  promised: readonly { sku: string; qty: Quantity }[];
}

interface PlannedLine {
  item: ReturnLine;
  /** Under which it is stocked. */
  sku: string;
  destination: Place;
  qtyNeverShipped: Quantity;
  /** Into the destination, where that is a source. */
  into: StockMove | null;
  /** Out of the source with the pieces that were never handed over. */
  outOf: StockMove | null;
  /** Why the goods cannot be put into stock, though they should be. */
  why: WhyUnmoved | null;
}

/**
 * Decides where the goods of an approved return go, and marks them as taken in. Nothing is written. Refusals as above.
 */
export async function planArrival(em: EntityManager, { order, rma }: OrderAndReturn): Promise<PlannedArrival> {
  refuseBrokenPieces(soldAs(order), rma.items.flatMap(moved));
  const places = await goodsPlaces(em, rma);
  const lines: PlannedLine[] = [];
  const promised: { sku: string; qty: Quantity }[] = [];
  for (const item of rma.items) {
    const place = places.get(item.orderItemId);
    const destination = destinationOf(item, place);
    const arrived = arrivedOf({ requested: item.qtyRequested, received: received(item) }, place);
    const sku = place?.stockSku ?? item.productSku;
    promised.push({ sku, qty: arrived.neverShipped });
    const origin = isCounted(place) ? place.originSourceCode : null;
    const why = place && !place.isVirtual && isForStock(item) ? place.whyUnmoved : null;
    lines.push({
      ...{ item, sku, destination, qtyNeverShipped: arrived.neverShipped, why },
      ...movesOf(sku, { arrived, destination, origin }),
    });
    if (place) place.qtyCameBack = plus(place.qtyCameBack, minus(item.qtyRequested, arrived.neverShipped));
    item.qtyReturned = received(item);
    item.status = 'items_received';
  }
  rma.status = 'items_received';
  return { lines, promised };
}

/**
 * Moves goods that were planned. Stock is locked last: of other records only those are written after it that this
 * transaction has locked or creates.
 *
 * @returns the movements, as the rows of stock moved, and a line of the history for goods that are in no stock. The
 * caller writes them in the same transaction: the unique movement of a line makes sure that it moves once.
 */
export async function moveArrival(
  em: EntityManager,
  { order, rma }: OrderAndReturn,
  { lines, promised }: PlannedArrival,
): Promise<Written[]> {
  await reserve(em, {
    orderId: order.entityId,
    storeId: order.storeId,
    eventType: 'creditmemo_created',
    lines: promised,
  });
  const moves = lines.flatMap((line) => [line.into, line.outOf].filter((move) => move !== null));
  const changes = await moveStock(em, moves);
  const shares = shareChanges(moves, changes);
  const changeOf = (move: StockMove | null) => (move === null ? none : (shares[moves.indexOf(move)] ?? none));
  const moved = lines.map((line) => {
    const { into: arriving, outOf: leaving } = line;
    return {
      ...line,
      why: line.why ?? (arriving && whyUnmoved(changes, arriving)),
      stockChange: changeOf(arriving),
      originChange: changeOf(leaving),
      qtyNotThere: minus(changeOf(leaving), leaving?.qty ?? none),
    };
  });
  const comments = moved.flatMap((line) => unmovedComments(line));
  const { returnId, status } = rma;
  return [
    into(StockMovement, moved.map(movementOf)),
    ...(comments.length === 0 ? [] : [returnComments(comments.map((comment) => ({ returnId, comment, status })))]),
  ];
}

/** What could not be done with the goods of a line. */
function unmovedComments({ item, sku, why, into: arriving, qtyNotThere }: MovedLine): string[] {
  const qty = received(item);
  if (qty === none) return [];
  if (why !== null) return [notPutIntoStock({ sku, qty, why })];
  return qtyNotThere > none && arriving === null ? [notWrittenOff({ sku, qty: qtyNotThere })] : [];
}

/** Whether the row of a product at a source counts the pieces of a line. */
const isCounted = (place: LinePlace | undefined): place is LinePlace =>
  place !== undefined && !place.isVirtual && place.whyUnmoved === null;

const isForStock = ({ inspectedCondition, returnToStock }: ReturnLine) =>
  inspectedCondition !== 'dispose' && returnToStock;

const soldAs = (order: LockedOrder) =>
  order.lines.map(({ itemId, sku, isQtyDecimal }) => ({ orderItemId: itemId, sku, isQtyDecimal }));

/** The quantity that is refunded, and the quantity that goes into stock. */
const moved = (item: ReturnLine) =>
  [item.qtyRequested, received(item)].map((qty) => ({ orderItemId: item.orderItemId, qty }));

const received = (item: ReturnLine): Quantity => minimum(item.qtyReceived ?? item.qtyRequested, item.qtyRequested);

function destinationOf(item: ReturnLine, place: LinePlace | undefined): Place {
  const qty = received(item);
  if (!isCounted(place)) return { kind: 'written_off', qty };
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

function movesOf(
  sku: string,
  { arrived: { cameBack, lookedAt }, destination, origin }: Sent,
): Pick<PlannedLine, 'into' | 'outOf'> {
  const target = destination.kind === 'source' ? destination.sourceCode : null;
  const moved = target === origin ? none : lookedAt;
  return {
    into: target === null ? null : { sku, sourceCode: target, qty: plus(cameBack, moved) },
    outOf:
      origin === null || moved === none
        ? null
        : { sku, sourceCode: origin, qty: minus(none, moved), isAsFarAsThere: true },
  };
}

function noPlace(condition: 'pristine' | 'damaged', sku: string) {
  return condition === 'damaged'
    ? invalid(
        'The location has no source for damaged goods, so "%1" cannot be received. Set one or choose another ' +
          'condition.',
        [sku],
      )
    : invalid('No inventory source is known for "%1", so it cannot be received. Give the location a source.', [sku]);
}

interface MovedLine extends PlannedLine {
  stockChange: Quantity;
  originChange: Quantity;
  /** Of the pieces to take out of their source, how many were no longer there. */
  qtyNotThere: Quantity;
}

const movementOf = ({ item, sku, destination, why, ...moved }: MovedLine): NewRowOf<typeof StockMovement> => ({
  returnItemId: item.entityId,
  kind: 'received',
  sku,
  sourceCode: destination.kind === 'source' && why === null ? destination.sourceCode : null,
  quantity: destination.qty,
  qtyNeverShipped: moved.qtyNeverShipped,
  stockChange: moved.stockChange,
  originSourceCode: moved.outOf?.sourceCode ?? null,
  originChange: moved.originChange,
  inspectedCondition: item.inspectedCondition,
  createdAt: shopNow(),
});

/** A line as received at the counter. */
export interface ReceivedLine {
  rmaItemId: number;
  /** Null: not inspected; the line's own condition decides where the goods go. */
  inspection: Inspection | null;
  /** The customer's word for the condition, where it was sent; null keeps the line's own. */
  condition: string | null;
  /** Null: the quantity requested. */
  qtyReceived: Quantity | null;
  /** Null: as set before, by the create or by a provider that keeps the goods. */
  returnToStock: boolean | null;
}

export interface Receiving extends OperationOnReturn {
  locationId: number;
  lines: readonly ReceivedLine[];
}

/**
 * Receives the goods of an approved return at a location; the condition decides where each line goes (spec 4.8
 * receive).
 *
 * A line that is not named did not come: nothing of it is restocked, but the refund still follows the approved
 * quantity (spec 4.8 quantity contract). Safe to repeat: the same receive is answered unchanged, and so is a final
 * status.
 *
 * Refused with: 404 unknown return, unknown location · 400 any status but approved, a wrong line, no destination for
 * a line · 409 `return_not_ready` · 503 too late.
 */
export const receiveReturn = (em: EntityManager, receiving: Receiving): Promise<{ status: ReturnStatus }> =>
  changeReturn(em, receiving, async (tx, { order, rma, done, refuseLate }) => {
    if (done || isTerminal(rma.status) || wasReceived(rma, receiving)) return { status: rma.status };
    refuseUnlessReady(rma);
    if (rma.status !== 'approved') throw returnNotReceivable([rma.status]);
    refuseLate();
    const location = await findLocation(tx, receiving.locationId);
    refuseWrongLines(
      rma.items.map(({ entityId }) => entityId),
      receiving.lines.map(({ rmaItemId }) => rmaItemId),
    );
    rma.locationId = receiving.locationId;
    for (const item of rma.items) note(item, lineOf(receiving, item), location);
    await changeStatus(tx, rma, 'items_received');
    await receiveGoods(tx, { order, rma });
    return { status: rma.status };
  });

const lineOf = ({ lines }: Receiving, { entityId }: ReturnLine) =>
  lines.find(({ rmaItemId }) => rmaItemId === entityId);

function note(
  item: ReturnLine,
  line: ReceivedLine | undefined,
  { damaged_stock_source_code: damagedShelf }: LocationRow,
): void {
  item.condition = line?.condition ?? item.condition;
  const implied = inspectionByCondition(item.condition, { hasDamagedShelf: damagedShelf !== null });
  item.inspectedCondition = line ? (line.inspection ?? implied) : null;
  item.qtyReceived = line ? line.qtyReceived : none;
  item.returnToStock = line?.returnToStock ?? item.returnToStock;
}

/** The same receive ran before, and its answer was lost. */
const wasReceived = (rma: LockedReturn, receiving: Receiving) =>
  rma.status === 'items_received' &&
  rma.locationId === receiving.locationId &&
  rma.items.every((item) => {
    const line = lineOf(receiving, item);
    return (
      wasInspectedSo(item, line) &&
      item.qtyReceived === (line ? line.qtyReceived : none) &&
      item.returnToStock === (line?.returnToStock ?? item.returnToStock)
    );
  });

/** The inspection as sent; where none was sent, as the condition decides now: sources may have changed since. */
const wasInspectedSo = ({ inspectedCondition, condition }: ReturnLine, line: ReceivedLine | undefined) =>
  inspectedCondition === (line?.inspection ?? null) ||
  (line?.inspection === null && inspectedCondition === inspectionByCondition(condition, { hasDamagedShelf: true }));
