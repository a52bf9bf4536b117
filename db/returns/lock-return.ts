import type { EntityManager } from '@mikro-orm/postgresql';
import { OrderItem } from '../platform/orders/order-item.entity.ts';
import { OrderPayment } from '../platform/orders/order-payment.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import type { RowOf } from '../support/entity-columns.ts';
import { standInLine } from '../support/connections/stand-in-line.ts';
import { integer } from '../support/kinds.ts';
import { perhaps, rowOf } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { changesOf, saveChanges } from '../support/write-rows.ts';
import { unknownReturn } from './return.repository.ts';
import { Return, ReturnItem } from './return.entity.ts';

/** A return, its order and all that belongs to both, as they are under the lock. */
export interface ReturnRows {
  order: RowOf<typeof Order>;
  payment: RowOf<typeof OrderPayment>;
  lines: readonly RowOf<typeof OrderItem>[];
  rma: RowOf<typeof Return>;
  items: readonly RowOf<typeof ReturnItem>[];
}

/**
 * One transaction under the lock of a return and its order; what `work` changes of their rows is written when it is done,
 * in one statement. Refused with: 404 unknown return.
 */
export const withReturn = <Result>(
  em: EntityManager,
  returnId: number,
  work: (tx: EntityManager, rows: ReturnRows) => Promise<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    const rows = await lockReturn(tx, returnId);
    const before = copyOf(rows);
    const result = await work(tx, rows);
    await saveReturn(tx, before, rows);
    return result;
  });

/** The order first, then the return: the one order of locks everywhere. */
export async function lockReturn(em: EntityManager, returnId: number): Promise<ReturnRows> {
  const head = await standInLine(em, `return ${returnId}`, () => lock.first(em, { returnId }));
  if (!head) throw unknownReturn(returnId);
  const rows = await readLines.all(em, { orderId: head.order.entityId, returnId });
  return {
    ...head,
    lines: rows.map(({ line }) => line).filter((one, at, all) => all[at - 1]?.itemId !== one.itemId),
    items: rows.flatMap(({ item }) => item ?? []).toSorted((one, other) => one.entityId - other.entityId),
  };
}

const [order, payment, rma] = [rowOf(Order, 'o'), rowOf(OrderPayment, 'p'), rowOf(Return, 'r')];
const [line, item] = [rowOf(OrderItem, 'l'), perhaps(rowOf(ReturnItem, 'i'))];

const lock = statement({
  takes: { returnId: integer },
  gives: { order, payment, rma },
  text: `
    select ${order.columns}, ${payment.columns}, ${rma.columns}
    from sale_return r
    join sales_order o on o.entity_id = r.order_id
    join sales_order_payment p on p.order_id = o.entity_id
    where r.return_id = $returnId for update of o, p, r`,
});

/** A line may come back in several rows of a return, or in none. */
const readLines = statement({
  takes: { orderId: integer, returnId: integer },
  gives: { line, item },
  text: `
    select ${line.columns}, ${item.columns}
    from sales_order_item l
    left join sale_return_item i on i.order_item_id = l.item_id and i.return_id = $returnId
    where l.order_id = $orderId order by l.item_id, i.entity_id`,
});

export const saveReturn = (em: EntityManager, before: ReturnRows, after: ReturnRows): Promise<void> =>
  saveChanges(em, [
    changesOf(Order, [before.order], [after.order]),
    changesOf(OrderPayment, [before.payment], [after.payment]),
    changesOf(OrderItem, before.lines, after.lines),
    changesOf(Return, [before.rma], [after.rma]),
    changesOf(ReturnItem, before.items, after.items),
  ]);

export const copyOf = (rows: ReturnRows): ReturnRows => ({
  order: { ...rows.order },
  payment: { ...rows.payment },
  lines: rows.lines.map((one) => ({ ...one })),
  rma: { ...rows.rma },
  items: rows.items.map((one) => ({ ...one })),
});
