import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../domain/errors.ts';
import { queueForRecord } from './support/connections/queue-for-record.ts';
import { sql } from './support/sql.ts';
import type { RowFrom } from './support/statement.ts';

export interface OrderRemark {
  orderId: number;
  /** The order's present status. */
  status: string;
  comment: string;
}

/** Adds a comment to an order's history once, however often the step runs. Under the order lock. */
export async function commentOnce(em: EntityManager, remark: OrderRemark): Promise<void> {
  await addComment.run(em, remark);
}

const addComment = sql('orders.addComment')`
  insert into sales_order_status_history (parent_id, comment, status, created_at)
  select $orderId, $comment, $status, clock_timestamp()
  where not exists (select from sales_order_status_history where parent_id = $orderId and comment = $comment)`;

/** A locked order with the fields that a payment of a layaway or of credit due needs. */
export type LockedMoney = RowFrom<typeof lock>;

/**
 * Locks an order and reads what a payment needs of it, in one round trip. The first lock of every money flow.
 *
 * Refused with: 404 unknown order.
 */
export async function lockOrderMoney(em: EntityManager, orderId: number): Promise<LockedMoney> {
  const order = await queueForRecord(em, `order ${orderId}`, () => lock.first(em, { orderId }));
  if (!order) throw noSuchDocument();
  return order;
}

/** The payment method changes only under the order's lock, so it needs no lock of its own. */
const lock = sql('orders.lock')`
  select o.entity_id, o.increment_id, o.state, o.status, o.order_currency_code, o.base_currency_code, o.grand_total,
    o.base_grand_total, o.total_paid, o.base_total_paid, o.due_taken_off, o.base_due_taken_off, o.pos_credit_due, o.pos_layaway_status, p.method,
    o.total_refunded - o.adjustment_positive + o.adjustment_negative + o.subtotal_canceled + o.tax_canceled
      + o.shipping_canceled - abs(o.discount_canceled) as goods_back
  from sales_order o left join sales_order_payment p on p.order_id = o.entity_id
  where o.entity_id = $orderId for update of o`;
