import type { EntityManager } from '@mikro-orm/postgresql';
import { atLeastNone, minimum, minus, none, plus, quantityToWire } from '../../domain/money.ts';
import { toShip } from '../../domain/platform/document-lines.ts';
import { isOver } from '../../domain/platform/order-state.ts';
import { stockSkuOf } from '../../domain/platform/placement.ts';
import {
  isTerminal,
  refuseUnlessParked,
  returnToBuyer,
  type OnShelf,
  type ReturnedToBuyer,
  type ReturnStatus,
  type TakenIn,
} from '../../domain/returns/return-status.ts';
import { moveStock, reserve } from '../platform/inventory/move-stock.ts';
import { readPromised } from '../platform/inventory/read-promised.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';

import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import { insertRows, into } from '../support/write-rows.ts';
import {
  addReturnComment,
  changeStatus,
  returnComments,
  withComment,
  type NewReturnComment,
  type Noted,
} from './add-return-comment.ts';
import { changeReturn, type OperationOnReturn, type ReturnRow } from './lock-return.ts';
import { StockMovement } from './return.entity.ts';
import { refuseUnlessReady, refuseWhileRefunding } from './settle-return.ts';

/**
 * Hands the goods of a return back to the buyer, in the transaction that closes it. They leave the sources they were
 * put into, as far as they are still there (spec 3.2), also when the stock of the product is no longer managed. The
 * history lists what is missing. Goods that were put into no stock leave none.
 *
 * Goods that were never handed over stay in stock and are reserved for the order again (our choice), as far as the
 * order must still be shipped. Each line moves once: its movement row is unique. Source items are locked last, in
 * ascending order of sku and source.
 */
async function returnGoodsToBuyer(
  em: EntityManager,
  { order, rma }: { order: LockedOrder; rma: ReturnRow },
): Promise<void> {
  const takenIn = await movementsIn.all(em, { returnId: rma.returnId });
  if (takenIn.length === 0) return;
  await promiseAgain(em, order, takenIn);
  const handedBack = returnToBuyer(takenIn, await lockShelves(em, takenIn));
  await insertRows(em, [
    into(
      StockMovement,
      handedBack.map(({ returnItemId, sku, sourceCode, qty }) => ({
        returnItemId,
        kind: 'closed',
        sku,
        sourceCode,
        quantity: qty,
        stockChange: sourceCode === null ? none : minus(none, qty),
        inspectedCondition: null,
        createdAt: shopNow(),
      })),
    ),
    returnComments(handedBack.filter(({ qtyMissing }) => qtyMissing > none).map((line) => missing(rma, line))),
  ]);
  await moveStock(
    em,
    handedBack.flatMap(({ sku, sourceCode, qty }) =>
      sourceCode === null ? [] : [{ sku, sourceCode, qty: minus(none, qty), isEvenUnmanaged: true }],
    ),
  );
}

/** Reserves no more of a product than its order still needs and has not reserved; a finished order needs none. */
async function promiseAgain(em: EntityManager, order: LockedOrder, takenIn: readonly TakenIn[]): Promise<void> {
  const neverShipped = takenIn.filter(({ qtyNeverShipped }) => qtyNeverShipped > none);
  if (neverShipped.length === 0 || isOver(order.state)) return;
  const { entityId: orderId, storeId } = order;
  const promised = await readPromised(em, orderId);
  const skus = [...new Set(neverShipped.map(({ sku }) => sku))];
  const lines = skus.map((sku) => {
    const awaited = order.lines.filter((line) => stockSkuOf(line) === sku);
    const unpromised = atLeastNone(minus(plus(...awaited.map(toShip)), promised.get(sku) ?? none));
    const requested = plus(...neverShipped.filter((line) => line.sku === sku).map((line) => line.qtyNeverShipped));
    return { sku, qty: minus(none, minimum(requested, unpromised)) };
  });
  await reserve(em, { orderId, storeId, eventType: 'order_placed', lines });
}

const movementsIn = sql('close-return.movementsIn')`
  select v.return_item_id, i.qty_requested, v.sku, v.source_code, v.quantity as qty, v.qty_never_shipped
  from sale_return_movement v join sale_return_item i on i.entity_id = v.return_item_id
  where i.return_id = $returnId and v.kind = 'received' order by v.return_item_id`;

/** Read under the lock, so that the quantity seen is the quantity that can be taken. */
async function lockShelves(em: EntityManager, takenIn: readonly TakenIn[]): Promise<OnShelf[]> {
  const shelved = takenIn.flatMap(({ sku, sourceCode }) => (sourceCode === null ? [] : [{ sku, sourceCode }]));
  if (shelved.length === 0) return [];
  return shelves.all(em, { skus: shelved.map(({ sku }) => sku), codes: shelved.map(({ sourceCode }) => sourceCode) });
}

const shelves = sql('close-return.shelves')`
  select sku, source_code, quantity as qty from inventory_source_item
  where (sku, source_code) in (select * from unnest($skus::text[], $codes::text[]))
  order by sku, source_code for update`;

const missing = (
  { returnId, status }: ReturnRow,
  { sku, sourceCode, qty, qtyMissing }: ReturnedToBuyer,
): NewReturnComment => ({
  returnId,
  comment: `${quantityToWire(qtyMissing)} of ${sku} no longer lay at "${sourceCode ?? ''}"; ${quantityToWire(qty)} went out.`,
  status,
});

/**
 * Ends a return without a refund: restocked goods leave their source again, never below zero; no memo (spec 3.2).
 *
 * Safe to repeat: a final status is answered unchanged, and each line moves once, by its movement row. A return whose
 * creation cannot be finished may be closed too; otherwise its creation would be retried for ever.
 *
 * Refused with: 404 unknown return · 409 `gateway_uncertain` while an attempt is open · 503 too late.
 */
export const closeReturn = (em: EntityManager, request: OperationOnReturn & Noted): Promise<{ status: ReturnStatus }> =>
  changeReturn(em, request, async (tx, { order, rma, done, refuseLate }) => {
    if (done || isTerminal(rma.status)) return { status: rma.status };
    await refuseWhileRefunding(tx, rma);
    refuseLate();
    rma.refundMethod = null;
    await changeStatus(tx, rma, 'closed');
    const { returnId, status } = rma;
    await addReturnComment(tx, { returnId, comment: 'Closed without a refund.', status });
    await withComment(tx, rma, request);
    await returnGoodsToBuyer(tx, { order, rma });
    return { status };
  });

/**
 * Cancels the refund of a parked return: the goods stay, the money is refunded later or never (spec 3.2).
 *
 * Safe to repeat: a `received` return is answered unchanged, and nothing is written.
 *
 * Refused with: 404 unknown return · 409 `gateway_uncertain` while an attempt is open · 409 `return_not_ready` · 400
 * any other status, the final ones too · 503 too late.
 */
export const cancelRefund = (
  em: EntityManager,
  request: OperationOnReturn & Noted,
): Promise<{ status: ReturnStatus }> =>
  changeReturn(em, request, async (tx, { rma, done, refuseLate }) => {
    if (done || rma.status === 'received') return { status: rma.status };
    refuseUnlessParked(rma.status);
    await refuseWhileRefunding(tx, rma);
    refuseUnlessReady(rma);
    refuseLate();
    rma.refundMethod = null;
    await changeStatus(tx, rma, 'received');
    const { returnId, status } = rma;
    await addReturnComment(tx, { returnId, comment: 'The refund was cancelled; the goods stay.', status });
    await withComment(tx, rma, request);
    return { status };
  });
