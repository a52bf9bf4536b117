import type { EntityManager } from '@mikro-orm/postgresql';
import { type LockedOrder, type OrderLine, type OrderRow, type PaymentRow } from '../platform/orders/lock-order.ts';
import { OrderItem } from '../platform/orders/order-item.entity.ts';
import { OrderPayment } from '../platform/orders/order-payment.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { readRows, saveRows } from '../support/plain-rows.ts';
import { withReturn } from './lock-return.ts';
import { unknownReturn } from './return.repository.ts';
import { Return, ReturnItem } from './return.entity.ts';

/** A return nobody else can change until this transaction ends, with its lines as they are now. */
export type LockedReturn = ReturnRow & { items: { getItems(): ReturnLine[] } };

/** Without what belongs to it. */
export type ReturnRow = Omit<Return, 'items'>;

/** Without the way back to their return. */
export type ReturnLine = Omit<ReturnItem, 'rma'>;

export interface OrderAndReturn {
  order: LockedOrder;
  rma: LockedReturn;
}

/**
 * One transaction with order and return locked, in two reads and one write for both and all that belongs to them: what
 * `work` changes of them is saved when it is done. What it creates goes through the unit of work as ever. Locks and
 * refusals are those of `lockOrderAndReturn`.
 */
export const withLockedReturn = <Result>(
  em: EntityManager,
  returnId: number,
  work: (tx: EntityManager, locked: OrderAndReturn) => Promise<Result>,
): Promise<Result> =>
  // The shape of before, until all that work on it take rows.
  withReturn(em, returnId, (tx, { order, payment, lines, rma, items }) =>
    work(tx, {
      order: Object.assign(order, { items: { getItems: () => [...lines] }, payment: { $: payment } }),
      rma: Object.assign(rma, { items: { getItems: () => [...items] } }),
    }),
  );

/** Writes what was changed of them and of other rows, in one statement; the unit of work sees to those it knows. */
export const saveLocked = (
  em: EntityManager,
  { order, rma }: { order: LockedOrder; rma?: LockedReturn },
  ...others: readonly object[]
): Promise<void> =>
  saveRows(em, [
    order,
    ...(order.payment ? [order.payment.$] : []),
    ...order.items.getItems(),
    ...(rma ? [rma, ...rma.items.getItems()] : []),
    ...others,
  ]);

interface Locked {
  o: OrderRow;
  p: PaymentRow;
  r: ReturnRow;
}

/** All three rows are locked, and read as they are under the lock: the order first. */
const lockTail = `
from sale_return r join sales_order o on o.entity_id = r.order_id join sales_order_payment p on p.order_id = o.entity_id
where r.return_id = $1 for update of o, p, r`;

/** A line may come back in several rows of a return, or in none. */
const linesTail = `
from sales_order_item o left join sale_return_item r on r.order_item_id = o.item_id and r.return_id = $2
where o.order_id = $1 order by o.item_id, r.entity_id`;

/** Order, then return. 404 for an unknown return. */
export async function readLocked(em: EntityManager, returnId: number): Promise<OrderAndReturn> {
  const asked = { tail: lockTail, values: [returnId] };
  const [locked] = await readRows<Locked>(em, { o: Order, p: OrderPayment, r: Return }, asked);
  if (!locked) throw unknownReturn(returnId);
  const { o, p, r } = locked;
  const rows = await readRows<{ o: OrderLine; r: ReturnLine }>(
    em,
    { o: OrderItem, r: ReturnItem },
    { tail: linesTail, values: [o.entityId, returnId] },
  );
  const lines = rows.map((row) => row.o).filter((line, at, all) => all[at - 1]?.itemId !== line.itemId);
  const returned = rows.flatMap((row) => (isThere(row.r) ? [row.r] : []));
  returned.sort((one, other) => one.entityId - other.entityId);
  return {
    order: Object.assign(o, { items: { getItems: () => lines }, payment: { $: p } }),
    rma: Object.assign(r, { items: { getItems: () => returned } }),
  };
}

/** A line that does not come back is joined to nothing. */
const isThere = ({ entityId }: { entityId: number | null }) => entityId !== null;
