import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { asLocked, rowsOfOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { OrderItem } from '../platform/orders/order-item.entity.ts';
import { OrderPayment } from '../platform/orders/order-payment.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import type { RowOf } from '../support/entity-columns.ts';
import { queueForRecord } from '../support/connections/queue-for-record.ts';
import { keep, kept, saveRows, type KeptRows } from '../support/kept-rows.ts';
import { integer } from '../support/kinds.ts';
import { perhaps, rowOf } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { Return, ReturnItem } from './return.entity.ts';

export type ReturnRow = RowOf<typeof Return>;
export type ReturnLine = RowOf<typeof ReturnItem>;

/** A return locked until this transaction ends, with its lines in the order of their ids. */
export type LockedReturn = ReturnRow & { readonly items: readonly ReturnLine[] };

/** A return, its order and the rows below both, read under the lock. */
export interface OrderAndReturn {
  order: LockedOrder;
  rma: LockedReturn;
}

/**
 * One transaction under the lock of a return and its order; the changes of `work` are written at its end, in one
 * statement. Refused with: 404 unknown return.
 */
export const withReturn = <Result>(
  em: EntityManager,
  returnId: number,
  work: (tx: EntityManager, locked: OrderAndReturn) => Promise<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    const locked = await lockReturn(tx, returnId);
    const result = await work(tx, locked);
    await saveReturn(tx, locked);
    return result;
  });

export const unknownReturn = (returnId: number) => notFound('Return with id %1 does not exist', [returnId]);

/** The order first, then the return: the same lock order everywhere. 404 for an unknown return. */
export async function lockReturn(em: EntityManager, returnId: number): Promise<OrderAndReturn> {
  const head = await queueForRecord(em, `return ${returnId}`, () => lock.first(em, { returnId }));
  if (!head) throw unknownReturn(returnId);
  const rows = await readLines.all(em, { orderId: head.order.entityId, returnId });
  const lines = rows.map((row) => row.line).filter((one, at, all) => all[at - 1]?.itemId !== one.itemId);
  const items = rows.flatMap((row) => row.item ?? []).toSorted((one, other) => one.entityId - other.entityId);
  return {
    order: asLocked({ ...head, lines }),
    rma: Object.assign(keep(head.rma), { items: items.map(keep) }),
  };
}

/** A return that this transaction created, under the lock of its order: no other transaction can see it yet. */
export async function readNewReturn(em: EntityManager, returnId: number): Promise<LockedReturn> {
  const rows = await readNew.all(em, { returnId });
  const [first] = rows;
  if (!first) throw unknownReturn(returnId);
  return Object.assign(keep(first.rma), { items: rows.map((row) => keep(row.newItem)) });
}

/** Writes what was changed of both, before the transaction ends; with it, rows of other tables that were kept. */
export const saveReturn = (
  em: EntityManager,
  { order, rma }: { order: LockedOrder; rma?: LockedReturn | undefined },
  ...others: readonly KeptRows[]
): Promise<void> =>
  saveRows(em, [...rowsOfOrder(order), ...(rma ? [kept(Return, [rma]), kept(ReturnItem, rma.items)] : []), ...others]);

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

const newItem = rowOf(ReturnItem, 'i');

const readNew = statement({
  takes: { returnId: integer },
  gives: { rma, newItem },
  text: `
    select ${rma.columns}, ${newItem.columns}
    from sale_return r join sale_return_item i on i.return_id = r.return_id
    where r.return_id = $returnId order by i.entity_id`,
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
