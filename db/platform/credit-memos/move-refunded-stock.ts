import type { EntityManager } from '@mikro-orm/postgresql';
import { atLeastNone, formatQuantity, minimum, minus, none, plus, type Quantity } from '../../../domain/money.ts';
import { splitRefunded, takeFrom, type CameBack } from '../../../domain/platform/credit-memos/credit-memo-coins.ts';
import {
  notPutIntoStock,
  notWrittenOff,
  whyUnmoved,
  type StockChange,
} from '../../../domain/platform/stock-changes.ts';
import { stockSkuOf } from '../../../domain/platform/placement.ts';
import { listText, quantity, definite } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { moveStock, reserve, type StockMove } from '../inventory/move-stock.ts';
import { noteInHistory } from '../orders/add-order-comment.ts';
import type { LockedOrder, OrderLine } from '../orders/lock-order.ts';

/** Reads what came back of an order's lines through returns, by line. Called under the order lock. */
export type ReadReturned = (em: EntityManager, orderId: number) => Promise<ReadonlyMap<number, CameBack>>;

/** What came back of an order's lines, by line: through memos that moved their goods, and through returns. */
async function readCameBack(
  em: EntityManager,
  { orderId, readReturned }: { orderId: number; readReturned: ReadReturned | undefined },
): Promise<(orderItemId: number) => CameBack> {
  const rows = await readWithMemos.all(em, { orderId });
  const withMemos = new Map(
    rows.map(({ orderItemId, qty, neverShipped }) => {
      return [orderItemId, { cameBack: minus(qty, neverShipped), neverShipped }] as const;
    }),
  );
  const otherwise = await readReturned?.(em, orderId);
  return (orderItemId) => both(withMemos.get(orderItemId) ?? nothing, otherwise?.get(orderItemId) ?? nothing);
}

const nothing: CameBack = { cameBack: none, neverShipped: none };

const both = (one: CameBack, other: CameBack): CameBack => ({
  cameBack: plus(one.cameBack, other.cameBack),
  neverShipped: plus(one.neverShipped, other.neverShipped),
});

const readWithMemos = sql('move-refunded-stock.readWithMemos', {
  gives: { qty: definite(quantity), neverShipped: definite(quantity) },
})`
  select i.order_item_id, sum(i.qty) as qty, sum(i.qty_never_shipped) as never_shipped
  from sales_creditmemo_item i join sales_creditmemo m on m.entity_id = i.parent_id
  where m.order_id = $orderId and i.qty_never_shipped is not null group by i.order_item_id`;

/** Kept when the goods move, because the order's later state no longer shows it. */
const noteCameBack = (
  em: EntityManager,
  creditMemoId: number,
  lines: readonly { orderItemId: number; neverShipped: Quantity }[],
): Promise<unknown> =>
  note.run(em, {
    creditMemoId,
    orderItemIds: lines.map(({ orderItemId }) => orderItemId),
    qtys: `{${lines.map((line) => formatQuantity(line.neverShipped)).join(',')}}`,
  });

const note = sql('move-refunded-stock.note', { takes: { qtys: listText('numeric[]') } })`
  update sales_creditmemo_item i set qty_never_shipped = l.qty
  from unnest($orderItemIds::bigint[], $qtys::numeric[]) as l(order_item_id, qty)
  where i.parent_id = $creditMemoId and i.order_item_id = l.order_item_id`;

export interface RefundedLine {
  orderItemId: number;
  qty: Quantity;
  /** How many of them may be sold again. The rest is written off. */
  qtyToStock: Quantity;
}

export interface RefundedStock {
  order: LockedOrder;
  creditMemoId: number;
  /** The memo's lines. */
  lines: readonly RefundedLine[];
  /** Reads what returns brought back. Absent: only memos bring goods back. */
  readReturned?: ReadReturned | undefined;
}

interface Goods {
  line: OrderLine;
  /** Never shipped: their reservation ends. */
  unshipped: Quantity;
  /** The part of `unshipped` that leaves its source as a write-off. */
  writtenOff: Quantity;
  /** Comes back from the buyer into stock. */
  arrived: Quantity;
  /** How many of the shipped ones came back earlier. */
  shippedBefore: Quantity;
}

/**
 * Moves the goods of a credit memo (platform facts 10), in the caller's transaction. A repeat moves them again.
 *
 * Goods that were never shipped are no longer reserved. Unless they may be sold again, they are also written off at
 * their source. Shipped goods go back to the sources they came from, or do not move. When a line has both, the goods to
 * sell again are taken from those never shipped (our choice). Goods that a source no longer holds are not written off,
 * and nothing comes back twice (our choice).
 */
export async function moveRefundedStock(em: EntityManager, refund: RefundedStock): Promise<void> {
  const { order, creditMemoId, lines: refunded, readReturned } = refund;
  if (refunded.every(({ qty }) => qty === none)) return;
  const { entityId: orderId, storeId } = order;
  const goods = goodsOf(refund, await readCameBack(em, { orderId, readReturned }));
  if (goods.length === 0) return;
  await noteCameBack(
    em,
    creditMemoId,
    goods.map(({ line, unshipped }) => ({ orderItemId: line.itemId, neverShipped: unshipped })),
  );
  const lines = goods.map(({ line, unshipped }) => ({ sku: stockSkuOf(line), qty: unshipped }));
  await reserve(em, { orderId, storeId, eventType: 'creditmemo_created', lines });
  const arriving = await arrivals(em, storeId, goods);
  const { leaving, missing } = await writeOffs(em, storeId, goods);
  const changes = await moveStock(em, [...arriving, ...leaving]);
  const comments = [...notPut(arriving, changes), ...missing.map(notWrittenOff)];
  await noteInHistory(em, order, { entityName: 'creditmemo', comments });
}

const notPut = (arriving: readonly StockMove[], changes: readonly StockChange[]): string[] =>
  arriving.flatMap((move) => {
    const why = whyUnmoved(changes, move);
    return why === null ? [] : [notPutIntoStock({ ...move, why })];
  });

/** Virtual lines are never shipped, so none of them is in stock. */
const goodsOf = ({ order, lines }: RefundedStock, beforeOf: (orderItemId: number) => CameBack): Goods[] =>
  order.lines.flatMap((line) => {
    const requested = lines.find((one) => one.orderItemId === line.itemId);
    if (!requested || requested.qty === none || line.isVirtual) return [];
    const { qtyInvoiced, qtyShipped } = line;
    const before = beforeOf(line.itemId);
    const { unshipped, shipped } = splitRefunded({ qtyInvoiced, qtyShipped, before }, requested.qty);
    const writtenOff = atLeastNone(minus(unshipped, requested.qtyToStock));
    const arrived = minimum(shipped, atLeastNone(minus(requested.qtyToStock, unshipped)));
    return [{ line, unshipped, writtenOff, arrived, shippedBefore: before.cameBack }];
  });

/** Back to the sources that shipped them. What came back earlier filled the first of these sources. */
async function arrivals(em: EntityManager, storeId: number, goods: readonly Goods[]): Promise<StockMove[]> {
  const returned = goods.filter(({ arrived }) => arrived > none);
  if (returned.length === 0) return [];
  const rows = await shipped.all(em, { storeId, itemIds: returned.map(({ line }) => line.itemId) });
  return returned.flatMap(({ line, arrived, shippedBefore }) => {
    const sources = rows.filter((row) => row.orderItemId === line.itemId);
    return takeFrom(sources, arrived, shippedBefore).map((part) => ({ sku: stockSkuOf(line), ...part }));
  });
}

/**
 * Takes goods from the store's sources by priority, as the platform does. It first locks all source items of the goods
 * in ascending order of sku and source. So what it reads is what it takes.
 */
async function writeOffs(em: EntityManager, storeId: number, goods: readonly Goods[]): Promise<WriteOffs> {
  const lost = goods.filter(({ writtenOff }) => writtenOff > none);
  if (lost.length === 0) return { leaving: [], missing: [] };
  const rows = await lockShelves.all(em, { storeId, skus: goods.map(({ line }) => stockSkuOf(line)) });
  const taken = new Map<string, Quantity>();
  const written = lost.map(({ line, writtenOff }) => {
    const sku = stockSkuOf(line);
    const before = taken.get(sku) ?? none;
    taken.set(sku, plus(before, writtenOff));
    const sources = rows
      .filter((row) => row.sku === sku && row.isInStock && row.priority !== null)
      .toSorted(byPriority);
    const parts = takeFrom(sources, writtenOff, before);
    const isManaged = rows.some((row) => row.sku === sku && row.isManaged);
    return { sku, parts, qtyMissing: isManaged ? minus(writtenOff, ...parts.map(({ qty }) => qty)) : none };
  });
  return {
    leaving: written.flatMap(({ sku, parts }) =>
      parts.map(({ sourceCode, qty }) => ({ sku, sourceCode, qty: minus(none, qty) })),
    ),
    missing: written.flatMap(({ sku, qtyMissing: qty }) => (qty === none ? [] : [{ sku, qty }])),
  };
}

interface WriteOffs {
  leaving: StockMove[];
  /** What the sources no longer had. */
  missing: { sku: string; qty: Quantity }[];
}

/** The sources of the stock that sells in the store's website. */
const prioritiesOfStore = `
  select l.source_code, min(l.priority) as priority from store_view v
    join website w on w.website_id = v.website_id
    join inventory_stock s on s.website_codes @> to_jsonb(array[w.code])
    join inventory_stock_source l on l.stock_id = s.stock_id
  where v.store_id = $storeId group by l.source_code`;

const shipped = sql('move-refunded-stock.shipped', { gives: { qty: definite(quantity) } })`
  select si.order_item_id, s.source_code, sum(si.qty) as qty
  from sales_shipment_item si join sales_shipment s on s.entity_id = si.parent_id
    left join (${prioritiesOfStore}) p on p.source_code = s.source_code
  where si.order_item_id = any($itemIds::bigint[])
  group by si.order_item_id, s.source_code, p.priority order by p.priority nulls last, s.source_code`;

const lockShelves = sql('move-refunded-stock.lockShelves')`
  select i.sku, i.source_code, i.quantity as qty, i.status = 1 and c.is_enabled as is_in_stock, p.priority,
    coalesce((select g.manage_stock from product g where g.sku = i.sku), false) as is_managed
  from inventory_source_item i join inventory_source c on c.source_code = i.source_code
    left join (${prioritiesOfStore}) p on p.source_code = i.source_code
  where i.sku = any($skus::text[]) order by i.sku, i.source_code for update of i`;

type Shelf = RowFrom<typeof lockShelves>;

const byPriority = (one: Shelf, other: Shelf) =>
  (one.priority ?? 0) - (other.priority ?? 0) || (one.sourceCode < other.sourceCode ? -1 : 1);
