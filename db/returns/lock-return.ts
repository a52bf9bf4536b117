import type { EntityManager } from '@mikro-orm/postgresql';
import { returnNotFound } from '../../domain/refusals/returns.ts';
import { asLocked, rowsOfOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { OrderItem, OrderPayment } from '../platform/orders/order-parts.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { flag, momentText, orNull, type RowOf } from '../support/entity-columns.ts';
import { queueForRecord } from '../support/connections/queue-for-record.ts';
import { perhaps, rowOf } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { tooLate } from '../support/begin-before.ts';
import { keep, cached, saveRows, type StoredRows } from '../support/save-rows.ts';
import { into } from '../support/write-rows.ts';
import { ReturnOperation, Return, ReturnItem } from './return.entity.ts';
import { shopNow } from '../support/shop-clock.ts';

export type ReturnRow = RowOf<typeof Return>;
export type ReturnLine = RowOf<typeof ReturnItem>;

/** A return locked until this transaction ends, with its lines in the order of their ids. */
export type LockedReturn = ReturnRow & { readonly items: readonly ReturnLine[] };

/** A return, its order and the rows below both, read under the lock. */
export interface OrderAndReturn {
  order: LockedOrder;
  rma: LockedReturn;
}

/** A request for a verb of a return; its own fields are the verb's. */
export interface OperationOnReturn {
  returnId: number;
  /** The same for every run of the request. Absent: nobody repeats it. */
  operationKey?: string | undefined;
  /** Until then its work may begin, by the database's clock. Absent: at any time. */
  beginBefore?: string | undefined;
  /** Who asked; shown to people. */
  by?: string | undefined;
  /** Called with the rows as the transaction leaves them. */
  seen?: Seen | undefined;
}

export type Seen = (locked: OrderAndReturn) => void;

/** What an earlier run of the same request did. */
export interface DoneBefore {
  /** The refund attempt that it opened; null: none was needed. */
  attemptId: number | null;
}

/** A return under its lock, for the verb of a request. */
export interface ReturnToChange extends OrderAndReturn {
  /** Undefined: the request was not carried out yet. */
  done: DoneBefore | undefined;
  /** 503 where nobody waits any more. Call it after everything that a repeat finds done. */
  refuseLate: () => void;
  /** Keeps the attempt that the request opened, for its repeats. */
  opened: (attemptId: number) => void;
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

/**
 * The same for a verb that a request asks for: a repeat of the request finds it done. A verb belongs to the return's
 * workflow, which ends with the return: so an ended return is followed by nobody.
 */
export const changeReturn = <Result>(
  em: EntityManager,
  { returnId, operationKey, beginBefore, by, seen }: OperationOnReturn,
  work: (tx: EntityManager, toChange: ReturnToChange) => Promise<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    const { known, ...locked } = await lockForOperation(tx, { returnId, operationKey, beginBefore });
    let attemptId: number | null = null;
    const statusBefore = locked.rma.status;
    const result = await work(tx, {
      ...locked,
      done: known?.isDone === true ? { attemptId: known.doneAttemptId } : undefined,
      refuseLate: () => {
        if (known?.isLate === true) throw tooLate();
      },
      opened: (id) => (attemptId = id),
    });
    if (isTerminal(locked.rma.status)) locked.rma.followedAt = null;
    const isNew = operationKey !== undefined && known?.isDone !== true;
    const { order, rma } = locked;
    const rows = [...rowsOfOrder(order), cached(Return, [rma]), cached(ReturnItem, rma.items)];
    const operation = {
      ...{ operationKey: operationKey ?? '', returnId, refundAttemptId: attemptId, createdAt: shopNow() },
      ...{ byName: by?.slice(0, 255) ?? null, changedTo: rma.status === statusBefore ? null : rma.status },
    };
    await saveRows(tx, rows, isNew ? [into(ReturnOperation, [operation])] : []);
    seen?.(locked);
    return result;
  });

export const unknownReturn = (returnId: number) => returnNotFound([returnId]);

/** The order first, then the return: the same lock order everywhere. 404 for an unknown return. */
export async function lockReturn(em: EntityManager, returnId: number): Promise<OrderAndReturn> {
  const { order, rma } = await lockForOperation(em, { returnId });
  return { order, rma };
}

interface NullableOperation {
  returnId: number;
  operationKey?: string | null | undefined;
  beginBefore?: string | null | undefined;
}

async function lockForOperation(
  em: EntityManager,
  { returnId, operationKey = null, beginBefore = null }: NullableOperation,
) {
  const head = await queueForRecord(em, `return ${returnId}`, () => lock.first(em, { returnId }));
  if (!head) throw unknownReturn(returnId);
  const rows = await readLines.all(em, { orderId: head.order.entityId, returnId, operationKey, beginBefore });
  const lines = rows.map((row) => row.line).filter((one, at, all) => all[at - 1]?.itemId !== one.itemId);
  const items = rows.flatMap((row) => row.item ?? []).toSorted((one, other) => one.entityId - other.entityId);
  return {
    order: asLocked({ ...head, lines }),
    rma: Object.assign(keep(head.rma), { items: items.map(keep) }),
    known: rows[0],
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
  ...others: readonly StoredRows[]
): Promise<void> =>
  saveRows(em, [
    ...rowsOfOrder(order),
    ...(rma ? [cached(Return, [rma]), cached(ReturnItem, rma.items)] : []),
    ...others,
  ]);

const [order, payment, rma] = [rowOf(Order, 'o'), rowOf(OrderPayment, 'p'), rowOf(Return, 'r')];
const [line, item] = [rowOf(OrderItem, 'l'), perhaps(rowOf(ReturnItem, 'i'))];

const lock = sql('lock-return.lock', { gives: { order, payment, rma } })`
  select ${order.columns}, ${payment.columns}, ${rma.columns}
  from sale_return r
  join sales_order o on o.entity_id = r.order_id
  join sales_order_payment p on p.order_id = o.entity_id
  where r.return_id = $returnId for update of o, p, r`;

const newItem = rowOf(ReturnItem, 'i');

const readNew = sql('lock-return.readNew', { gives: { rma, newItem } })`
  select ${rma.columns}, ${newItem.columns}
  from sale_return r join sale_return_item i on i.return_id = r.return_id
  where r.return_id = $returnId order by i.entity_id`;

/**
 * A line may come back in several rows of a return, or in none. The clock is read after the lock was taken: in the
 * statement that takes it, it would be read before the wait.
 */
const readLines = sql('lock-return.readLines', {
  takes: { beginBefore: orNull(momentText) },
  gives: { line, item, isLate: orNull(flag) },
})`
  select ${line.columns}, ${item.columns}, clock_timestamp() > $beginBefore::timestamptz as is_late,
    exists (select from sale_return_operation where operation_key = $operationKey?) as is_done,
    (select refund_attempt_id from sale_return_operation where operation_key = $operationKey) as done_attempt_id
  from sales_order_item l
  left join sale_return_item i on i.order_item_id = l.item_id and i.return_id = $returnId
  where l.order_id = $orderId order by l.item_id, i.entity_id`;
