import type { EntityManager } from '@mikro-orm/postgresql';
import { atLeastNone, fewest, minus, none, parseQuantity, plus, quantityToWire } from '../../domain/money/quantity.ts';
import { toShip } from '../../domain/platform/line-quantities.ts';
import { isOver } from '../../domain/platform/order-state.ts';
import { handBack, type HandedBack, type OnShelf, type TakenIn } from '../../domain/returns/hand-back.ts';
import { moveStock } from '../platform/inventory/move-stock.ts';
import { readPromised } from '../platform/inventory/read-promised.ts';
import { reserve } from '../platform/inventory/reserve.ts';
import { linesOf, type LockedOrder } from '../platform/orders/lock-order.ts';
import { addReturnComment } from './add-return-comment.ts';
import { StockMovement, type Return } from './return.entity.ts';

/**
 * Hands the goods of a return back to the buyer, in the transaction that closes it: off the shelves they were put on, as
 * far as they are still there (spec 3.2). What is missing is said in the history.
 *
 * What had never been handed over stays where it lies and is promised to its order again (our choice), as far as the
 * order is still to be shipped. Each line goes out once: its movement row is unique. Source items are locked last, in
 * ascending order of sku and source.
 */
export async function handBackGoods(
  em: EntityManager,
  { order, rma }: { order: LockedOrder; rma: Return },
): Promise<void> {
  const takenIn = await movementsIn(em, rma);
  if (takenIn.length === 0) return;
  await promiseAgain(em, order, takenIn);
  const handedBack = handBack(takenIn, await lockShelves(em, takenIn));
  for (const line of handedBack) {
    const { returnItemId, sku, sourceCode, qty } = line;
    em.create(StockMovement, {
      returnItemId,
      kind: 'closed',
      sku,
      sourceCode,
      quantity: qty,
      inspectedCondition: null,
    });
    if (line.qtyMissing > none) sayMissing(em, rma, line);
  }
  await em.flush();
  await moveStock(
    em,
    handedBack.flatMap(({ sku, sourceCode, qty }) =>
      sourceCode === null ? [] : [{ sku, sourceCode, qty: minus(none, qty) }],
    ),
  );
}

/** No more of a product than its order still waits for and is not promised already; one that is over waits for none. */
async function promiseAgain(em: EntityManager, order: LockedOrder, takenIn: readonly TakenIn[]): Promise<void> {
  const kept = takenIn.filter(({ qtyNeverShipped }) => qtyNeverShipped > none);
  if (kept.length === 0 || isOver(order.state)) return;
  const { entityId: orderId, storeId } = order;
  const promised = await readPromised(em, orderId);
  const skus = [...new Set(kept.map(({ sku }) => sku))];
  const lines = skus.map((sku) => {
    const awaited = linesOf(order).filter((line) => line.sku === sku);
    const unpromised = atLeastNone(minus(plus(...awaited.map(toShip)), promised.get(sku) ?? none));
    const wanted = plus(...kept.filter((line) => line.sku === sku).map((line) => line.qtyNeverShipped));
    return { sku, qty: minus(none, fewest(wanted, unpromised)) };
  });
  await reserve(em, { orderId, storeId, eventType: 'order_placed', lines });
}

interface MovementRow {
  return_item_id: number;
  qty_requested: string;
  sku: string;
  source_code: string | null;
  quantity: string;
  qty_never_shipped: string;
}

async function movementsIn(em: EntityManager, rma: Return): Promise<TakenIn[]> {
  const rows = await em.execute<MovementRow[]>(
    `select v.return_item_id, i.qty_requested, v.sku, v.source_code, v.quantity, v.qty_never_shipped
     from sale_return_movement v join sale_return_item i on i.entity_id = v.return_item_id
     where i.return_id = ? and v.kind = 'received' order by v.return_item_id`,
    [rma.returnId],
  );
  return rows.map((row) => ({
    returnItemId: row.return_item_id,
    sku: row.sku,
    sourceCode: row.source_code,
    qty: stored(row.quantity),
    qtyRequested: stored(row.qty_requested),
    qtyNeverShipped: stored(row.qty_never_shipped),
  }));
}

/** Read under the lock, so that what is seen is what can be taken. */
async function lockShelves(em: EntityManager, takenIn: readonly TakenIn[]): Promise<OnShelf[]> {
  const shelved = takenIn.flatMap(({ sku, sourceCode }) => (sourceCode === null ? [] : [{ sku, sourceCode }]));
  if (shelved.length === 0) return [];
  const rows = await em.execute<{ sku: string; source_code: string; quantity: string }[]>(
    `select sku, source_code, quantity from inventory_source_item
     where (sku, source_code) in (select * from unnest(array[?]::text[], array[?]::text[]))
     order by sku, source_code for update`,
    [shelved.map(({ sku }) => sku), shelved.map(({ sourceCode }) => sourceCode)],
  );
  return rows.map((row) => ({ sku: row.sku, sourceCode: row.source_code, qty: stored(row.quantity) }));
}

const stored = (text: string) => parseQuantity(text) ?? none;

function sayMissing(em: EntityManager, rma: Return, { sku, sourceCode, qty, qtyMissing }: HandedBack): void {
  addReturnComment(em, {
    returnId: rma.returnId,
    comment: `${quantityToWire(qtyMissing)} of ${sku} no longer lay at "${sourceCode ?? ''}"; ${quantityToWire(qty)} went out.`,
    status: rma.status,
  });
}
