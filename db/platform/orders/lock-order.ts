import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchOrder } from '../../../domain/refusals/platform.ts';
import { queueForRecord } from '../../support/connections/queue-for-record.ts';
import { type RowOf } from '../../support/entity-columns.ts';
import { rowOf } from '../../support/rows.ts';
import { keep, cached, saveRows, type StoredRows } from '../../support/save-rows.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { OrderItem, OrderPayment } from './order-parts.entity.ts';
import { Order } from './order.entity.ts';

export type OrderRow = RowOf<typeof Order>;
export type OrderLine = RowOf<typeof OrderItem>;
export type PaymentRow = RowOf<typeof OrderPayment>;

/** An order with its lines, in the order of their ids, and its payment. Every order has a payment from the start. */
export type OrderRows = OrderRow & { readonly lines: readonly OrderLine[]; readonly payment: PaymentRow };

/** An order that only this transaction can change until it ends. */
export type LockedOrder = OrderRows;

/**
 * One transaction under the lock of an order. The changes of `work` are written at its end, in one statement. Refused
 * as `lockOrder`.
 */
export const withOrder = <Result>(
  em: EntityManager,
  orderId: number,
  work: (tx: EntityManager, order: LockedOrder) => Promise<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const result = await work(tx, order);
    await saveOrder(tx, order);
    return result;
  });

/**
 * Locks an order and reads it, its lines and its payment under the lock. It is the first lock of every money flow.
 * `saveOrder` writes the changes.
 *
 * It may lock twice in one transaction when the first rows are saved before: the second call reads all of them again.
 *
 * Refused with: 404 unknown order · 400 the id 0.
 */
export async function lockOrder(em: EntityManager, orderId: number): Promise<LockedOrder> {
  const head = await queueForRecord(em, `order ${orderId}`, () => lock.first(em, { orderId }));
  if (!head) throw noSuchOrder(orderId);
  const rows = await readLines.all(em, { orderId });
  return asLocked({ ...head, lines: rows.map(({ line }) => line) });
}

/** Makes a locked order of rows that were read under the lock. */
export function asLocked({ order, payment, lines }: OrderParts): LockedOrder {
  const locked = Object.assign(keep(order), { payment: keep(payment), lines: lines.map(keep) });
  return locked;
}

export interface OrderParts {
  order: OrderRow;
  payment: PaymentRow;
  lines: readonly OrderLine[];
}

/** Writes the changes of a locked order, before something reads it from the database or the transaction ends. */
export const saveOrder = (em: EntityManager, order: LockedOrder): Promise<void> => saveRows(em, rowsOfOrder(order));

/** For saving an order together with other rows. */
export const rowsOfOrder = (order: LockedOrder): StoredRows[] => [
  cached(Order, [order]),
  cached(OrderPayment, [order.payment]),
  cached(OrderItem, order.lines),
];

const [order, payment, line] = [rowOf(Order, 'o'), rowOf(OrderPayment, 'p'), rowOf(OrderItem, 'l')];

/** The payment is locked too, so that it is read as the previous transaction left it. */
const lock = sql('lock-order.lock', { gives: { order, payment } })`
  select ${order.columns}, ${payment.columns}
  from sales_order o join sales_order_payment p on p.order_id = o.entity_id
  where o.entity_id = $orderId for update of o, p`;

const readLines = sql('lock-order.readLines', { gives: { line } })`
  select ${line.columns} from sales_order_item l where l.order_id = $orderId order by l.item_id`;

const selectOrder = sql('lock-order.selectOrder', { gives: { order, payment } })`
  select ${order.columns}, ${payment.columns}
  from sales_order o join sales_order_payment p on p.order_id = o.entity_id where o.entity_id = $orderId`;

/** An order as it is now, without a lock: for calculations, never for changes. Undefined: unknown order. */
export async function readOrderRows(em: EntityManager, orderId: number): Promise<OrderRows | undefined> {
  const head = await selectOrder.first(em, { orderId });
  if (!head) return undefined;
  const rows = await readLines.all(em, { orderId });
  return Object.assign(head.order, { payment: head.payment, lines: rows.map((row) => row.line) });
}
