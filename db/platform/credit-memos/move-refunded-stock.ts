import type { EntityManager } from '@mikro-orm/postgresql';
import { minus, none, parseQuantity, plus, type Quantity } from '../../../domain/money/quantity.ts';
import type { MemoLine } from '../../../domain/platform/credit-memo-figures.ts';
import {
  splitRefunded,
  takeFrom,
  type AtSource,
  type RefundedGoods,
} from '../../../domain/platform/credit-memo-stock.ts';
import { readPromised } from '../inventory/read-promised.ts';
import { moveStock, type StockMove } from '../inventory/move-stock.ts';
import { reserve } from '../inventory/reserve.ts';
import { linesOf, type LockedOrder, type OrderLine } from '../orders/lock-order.ts';

export interface RefundedStock {
  order: LockedOrder;
  /** The memo's lines, already in the registers of the order's lines. */
  lines: readonly Pick<MemoLine, 'orderItemId' | 'qty'>[];
  returnToStockItemIds: readonly number[];
}

interface Goods extends RefundedGoods {
  line: OrderLine;
  comesBack: boolean;
}

/**
 * Moves the goods of a credit memo (platform facts 10), in the caller's transaction. A repeat moves them again.
 *
 * What was never handed over is promised no longer; unless it comes back it also leaves its source, written off. What
 * was handed over goes back to the sources it came from, or stays where it is. Goods a source does not hold any more
 * cannot be written off and are passed over (our choice).
 */
export async function moveRefundedStock(em: EntityManager, refund: RefundedStock): Promise<void> {
  const { entityId: orderId, storeId } = refund.order;
  const isAllHandedOver = linesOf(refund.order).every(({ qtyInvoiced, qtyShipped }) => qtyInvoiced <= qtyShipped);
  const goods = goodsOf(refund, isAllHandedOver ? new Map() : await readPromised(em, orderId));
  if (goods.length === 0) return;
  const lines = goods.map(({ line, unshipped }) => ({ sku: line.sku, qty: unshipped }));
  await reserve(em, { orderId, storeId, eventType: 'creditmemo_created', lines });
  await moveStock(em, [...(await arrivals(em, storeId, goods)), ...(await writeOffs(em, storeId, goods))]);
}

/** Nobody hands virtual lines over, so nothing of them lies anywhere. Lines of one product share what is promised. */
function goodsOf({ order, lines, returnToStockItemIds }: RefundedStock, promised: Map<string, Quantity>): Goods[] {
  return linesOf(order).flatMap((line) => {
    const qty = lines.find((one) => one.orderItemId === line.itemId)?.qty ?? none;
    if (qty === none || line.isVirtual) return [];
    const left = promised.get(line.sku);
    const split = splitRefunded(line, qty, left);
    if (left !== undefined) promised.set(line.sku, minus(left, split.unshipped));
    return [{ line, comesBack: returnToStockItemIds.includes(line.itemId), ...split }];
  });
}

interface ShippedRow {
  order_item_id: number;
  source_code: string;
  qty: string;
}

/** Back to where they were handed over from; a line's earlier refunds took from the first sources. */
async function arrivals(em: EntityManager, storeId: number, goods: readonly Goods[]): Promise<StockMove[]> {
  const returned = goods.filter(({ comesBack, shipped }) => comesBack && shipped > none);
  if (returned.length === 0) return [];
  const rows = await em.execute<ShippedRow[]>(
    `select si.order_item_id, s.source_code, sum(si.qty) as qty
     from sales_shipment_item si join sales_shipment s on s.entity_id = si.parent_id
       left join (${prioritiesOfStore}) p on p.source_code = s.source_code
     where si.order_item_id = any(array[?]::int[])
     group by si.order_item_id, s.source_code, p.priority order by p.priority nulls last, s.source_code`,
    [storeId, returned.map(({ line }) => line.itemId)],
  );
  return returned.flatMap(({ line, shipped, shippedBefore }) => {
    const sources = rows.filter((row) => row.order_item_id === line.itemId).map(atSource);
    return takeFrom(sources, shipped, shippedBefore).map((part) => ({ sku: line.sku, ...part }));
  });
}

interface SourceRow {
  sku: string;
  source_code: string;
  qty: string;
  is_in_stock: boolean;
  priority: number | null;
}

/**
 * Off the shelf of the store's sources in their priority, as the platform picks them. All source items of the goods are locked first, in ascending
 * order of sku and source, so that what is read here is what is taken.
 */
async function writeOffs(em: EntityManager, storeId: number, goods: readonly Goods[]): Promise<StockMove[]> {
  const lost = goods.filter(({ comesBack, unshipped }) => !comesBack && unshipped > none);
  if (lost.length === 0) return [];
  const rows = await em.execute<SourceRow[]>(
    `select i.sku, i.source_code, i.quantity as qty, i.status = 1 as is_in_stock, p.priority
     from inventory_source_item i left join (${prioritiesOfStore}) p on p.source_code = i.source_code
     where i.sku = any(array[?]::text[]) order by i.sku, i.source_code for update of i`,
    [storeId, goods.map(({ line }) => line.sku)],
  );
  const taken = new Map<string, Quantity>();
  return lost.flatMap(({ line, unshipped }) => {
    const before = taken.get(line.sku) ?? none;
    taken.set(line.sku, plus(before, unshipped));
    const sources = rows
      .filter((row) => row.sku === line.sku && row.is_in_stock && row.priority !== null)
      .toSorted(byPriority);
    return takeFrom(sources.map(atSource), unshipped, before).map(({ sourceCode, qty }) => ({
      sku: line.sku,
      sourceCode,
      qty: minus(none, qty),
    }));
  });
}

const byPriority = (one: SourceRow, other: SourceRow) =>
  (one.priority ?? 0) - (other.priority ?? 0) || (one.source_code < other.source_code ? -1 : 1);

const atSource = (row: { source_code: string; qty: string }): AtSource => ({
  sourceCode: row.source_code,
  qty: parseQuantity(row.qty) ?? none,
});

/** The enabled sources of the stock that sells in the store's website. */
const prioritiesOfStore = `
  select l.source_code, min(l.priority) as priority from store_view v
    join website w on w.website_id = v.website_id
    join inventory_stock s on s.website_codes @> to_jsonb(array[w.code])
    join inventory_stock_source l on l.stock_id = s.stock_id
    join inventory_source c on c.source_code = l.source_code and c.is_enabled
  where v.store_id = ? group by l.source_code`;
