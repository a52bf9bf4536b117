import type { EntityManager } from '@mikro-orm/postgresql';
import { beginWithinSeconds } from '../../domain/patience.ts';
import { openStatuses } from '../../domain/returns/return-status.ts';
import { effectiveDate } from '../refunds/refund-attempt.repository.ts';
import { amount, flag, float, integer, listOf, orNull, definite, text } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { unknownReturn } from './lock-return.ts';
import { Return } from './return.entity.ts';

/** A return for a register, read in one statement (spec 2.11). Quantities and money as JSON numbers. */
export type ReturnRecord = RowFrom<typeof byId>;

const record = {
  ...of(Return, 'returnId', 'incrementId', 'orderId', 'nameTail', 'customerId', 'locationId', 'providerCode'),
  ...of(
    Return,
    'requestedRefundMethod',
    'status',
    'refundMethod',
    'creditMemoId',
    'posSaleId',
    'isReady',
    'refundLegs',
  ),
  ...of(Return, 'refundDifference', 'hasTenders'),
  orderIncrementId: text,
  creditMemoIncrementId: orNull(text),
  /** Of the memo, in the order's currency. */
  refundTotal: orNull(float),
  refund: orNull(amount),
  currencyCode: text,
  transactionId: orNull(text),
  baseRefundTotal: orNull(float),
  baseHandback: orNull(float),
  attemptId: orNull(integer),
  attemptState: orNull(text),
  /** Gift cards that its refund issued. */
  newCards: definite(listOf({ cardId: integer, code: text })),
  /** When a person's decision about the attempt takes effect, in UTC. */
  attemptEffectiveAt: orNull(text),
  /** A call that takes it to its end is under way: its workflow carries that out. */
  isBeingProcessed: definite(flag),
  items: listOf({
    entity_id: integer,
    order_item_id: integer,
    product_name: orNull(text),
    product_sku: text,
    qty_requested: float,
    qty_authorized: orNull(float),
    qty_approved: orNull(float),
    qty_returned: orNull(float),
    reason: orNull(text),
    condition: orNull(text),
    resolution: orNull(text),
    status: text,
  }),
  comments: listOf({
    comment: text,
    is_customer_notified: flag,
    is_visible_on_front: flag,
    status: orNull(text),
    created_at: text,
  }),
  createdAt: text,
  updatedAt: text,
  /** Until then a request that read this may begin. */
  beginBefore: definite(text),
};

const records = `
  select r.return_id, r.increment_id, r.order_id, o.increment_id as order_increment_id, r.name_tail, r.customer_id,
    r.location_id, r.provider_code, r.requested_refund_method, r.status, r.refund_method, r.credit_memo_id,
    m.increment_id as credit_memo_increment_id, m.grand_total::float8 as refund_total, m.grand_total as refund,
    o.order_currency_code as currency_code, m.transaction_id, r.pos_sale_id,
    r.is_ready, r.refund_legs,
    (select coalesce(json_agg(json_build_object('cardId', g.card_id, 'code', g.code)), '[]')
     from jsonb_array_elements(r.refund_legs) l join gift_card g on g.card_id = (l ->> 'newCardId')::bigint)
       as new_cards, r.base_refund_total::float8 as base_refund_total,
    r.base_handback::float8 as base_handback, r.refund_difference, r.has_tenders, a.attempt_id, a.state as attempt_state,
    ${effectiveDate('a')} as attempt_effective_at,
    exists (select from return_process p
      where p.return_id = r.return_id and p.state = 'open' and p.is_fast_track) as is_being_processed,
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
    to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as created_at,
    to_char(r.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as updated_at,
    (clock_timestamp() + interval '${beginWithinSeconds} seconds')::text as begin_before
  from sale_return r
  join sales_order o on o.entity_id = r.order_id
  left join sales_creditmemo m on m.entity_id = r.credit_memo_id
  left join lateral (select attempt_id, state, decided_at, effective_at from refund_attempt where return_id = r.return_id
    order by attempt_id desc limit 1) a on true`;

const byId = sql('return.repository.byId', { gives: record })`${records} where r.return_id = $returnId`;

const bySale = sql('return.repository.bySale', { gives: record })`${records} where r.pos_sale_id = $posSaleId`;

const byOrder = sql('return.repository.byOrder', {
  gives: record,
})`${records} where r.order_id = $orderId order by r.return_id limit 1000`;

/** The statuses are written in the text, because the partial index of open returns has them in its condition. */
const open = sql('return.repository.open', { gives: record })`
  ${records} where r.status in (${openStatuses.map((status) => `'${status}'`).join(',')})
  order by r.created_at desc, r.return_id desc limit $limit`;

/** One return; 404 when there is none. */
export async function findReturn(em: EntityManager, returnId: number): Promise<ReturnRecord> {
  const found = await byId.first(em, { returnId });
  if (!found) throw unknownReturn(returnId);
  return found;
}

/** The return of a register's sale; undefined when it has none. */
export const findReturnOfSale = (em: EntityManager, posSaleId: string): Promise<ReturnRecord | undefined> =>
  bySale.first(em, { posSaleId });

/** Every return of one order, oldest first. */
export const returnsOfOrder = (em: EntityManager, orderId: number): Promise<ReturnRecord[]> =>
  byOrder.all(em, { orderId });

/** Returns that are not finished, across orders, newest first (spec 4.8 `open`). */
export const openReturns = (em: EntityManager, limit: number): Promise<ReturnRecord[]> => open.all(em, { limit });
