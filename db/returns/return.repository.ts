import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import { openStatuses, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { query } from '../support/query.ts';
import { Return, type StoredLeg } from './return.entity.ts';

/** A return as a register sees it, read in one statement (spec 2.11). Quantities and money as JSON numbers. */
export interface ReturnRecord {
  returnId: number;
  incrementId: string;
  orderId: number;
  orderIncrementId: string;
  nameTail: string | null;
  customerId: number | null;
  locationId: number | null;
  providerCode: string;
  requestedRefundMethod: string | null;
  status: ReturnStatus;
  refundMethod: SettleMethod | null;
  creditMemoId: number | null;
  creditMemoIncrementId: string | null;
  /** Of the memo, in the order's currency. */
  refundTotal: number | null;
  transactionId: string | null;
  posSaleId: string | null;
  isReady: boolean;
  refundLegs: StoredLeg[];
  baseRefundTotal: number | null;
  baseHandback: number | null;
  refundDifference: string | null;
  attemptId: number | null;
  attemptState: string | null;
  items: ReturnItemRecord[];
  comments: ReturnCommentRecord[];
  createdAt: string;
  updatedAt: string;
}

export interface ReturnItemRecord {
  entity_id: number;
  order_item_id: number;
  product_name: string | null;
  product_sku: string;
  qty_requested: number;
  qty_authorized: number | null;
  qty_approved: number | null;
  qty_returned: number | null;
  reason: string | null;
  condition: string | null;
  resolution: string | null;
  status: string;
}

export interface ReturnCommentRecord {
  comment: string;
  is_customer_notified: boolean;
  is_visible_on_front: boolean;
  status: string | null;
  created_at: string;
}

const records = (where: string, tail: string) => `
select r.return_id as "returnId", r.increment_id as "incrementId", r.order_id as "orderId",
  o.increment_id as "orderIncrementId", r.name_tail as "nameTail", r.customer_id as "customerId", r.location_id as "locationId",
  r.provider_code as "providerCode",
  r.requested_refund_method as "requestedRefundMethod", r.status, r.refund_method as "refundMethod",
  r.credit_memo_id as "creditMemoId", m.increment_id as "creditMemoIncrementId",
  m.grand_total::float8 as "refundTotal", m.transaction_id as "transactionId", r.pos_sale_id as "posSaleId",
  r.is_ready as "isReady", r.refund_legs as "refundLegs", r.base_refund_total::float8 as "baseRefundTotal",
  r.base_handback::float8 as "baseHandback", r.refund_difference as "refundDifference",
  a.attempt_id as "attemptId", a.state as "attemptState",
  (select coalesce(json_agg(json_build_object('entity_id', i.entity_id, 'order_item_id', i.order_item_id,
     'product_name', i.product_name, 'product_sku', i.product_sku, 'qty_requested', i.qty_requested::float8,
     'qty_authorized', i.qty_authorized::float8, 'qty_approved', i.qty_approved::float8,
     'qty_returned', i.qty_returned::float8, 'reason', i.reason, 'condition', i.condition,
     'resolution', i.resolution, 'status', i.status) order by i.entity_id), '[]')
   from sale_return_item i where i.return_id = r.return_id) as items,
  (select coalesce(json_agg(json_build_object('comment', c.comment, 'is_customer_notified', c.is_customer_notified,
     'is_visible_on_front', c.is_visible_on_front, 'status', c.status,
     'created_at', to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) order by c.comment_id), '[]')
   from sale_return_comment c where c.return_id = r.return_id) as comments,
  to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as "createdAt",
  to_char(r.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as "updatedAt"
from sale_return r
join sales_order o on o.entity_id = r.order_id
left join sales_creditmemo m on m.entity_id = r.credit_memo_id
left join lateral (select attempt_id, state from refund_attempt where return_id = r.return_id
  order by attempt_id desc limit 1) a on true
where ${where} ${tail}`;

const byId = records('r.return_id = $1', '');
const bySale = records('r.pos_sale_id = $1', '');

export const unknownReturn = (returnId: number) => notFound('Return with id %1 does not exist', [returnId]);

/** One return; 404 when there is none. */
export async function findReturn(em: EntityManager, returnId: number): Promise<ReturnRecord> {
  const [record] = await query<ReturnRecord>(em, byId, [returnId]);
  if (!record) throw unknownReturn(returnId);
  return record;
}

/** The return a register's sale already has; undefined when it has none. */
export async function findReturnOfSale(em: EntityManager, posSaleId: string): Promise<ReturnRecord | undefined> {
  const [record] = await query<ReturnRecord>(em, bySale, [posSaleId]);
  return record;
}

/** Every return of one order, oldest first. */
export const returnsOfOrder = (em: EntityManager, orderId: number): Promise<ReturnRecord[]> =>
  em.execute<ReturnRecord[]>(records('r.order_id = ?', 'order by r.return_id limit 1000'), [orderId]);

/** Returns that are not finished, across orders, newest first (spec 4.8 `open`). */
export const openReturns = (em: EntityManager, limit: number): Promise<ReturnRecord[]> =>
  em.execute<ReturnRecord[]>(
    records(
      `r.status in (${openStatuses.map((status) => `'${status}'`).join(',')})`,
      'order by r.created_at desc, r.return_id desc limit ?',
    ),
    [limit],
  );

/** Locks order, then return, and reads both anew: the one order of locks everywhere. 404 for an unknown return. */
export async function lockOrderAndReturn(
  em: EntityManager,
  returnId: number,
): Promise<{ order: LockedOrder; rma: Return }> {
  const [found] = await em.execute<{ order_id: number }[]>('select order_id from sale_return where return_id = ?', [
    returnId,
  ]);
  if (!found) throw unknownReturn(returnId);
  const order = await lockOrder(em, found.order_id);
  return { order, rma: await lockReturn(em, returnId) };
}

/** Locks a return and reads it and its lines anew. Its order is locked before, by the caller. */
export async function lockReturn(em: EntityManager, returnId: number): Promise<Return> {
  const rma = await em.findOne(Return, { returnId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!rma) throw unknownReturn(returnId);
  await em.populate(rma, ['items'], { refresh: true });
  return rma;
}
