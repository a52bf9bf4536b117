import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { money, type Amount } from '../../domain/money/amount.ts';
import type { RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import { readRows } from '../support/plain-rows.ts';
import { query } from '../support/query.ts';
import { RefundAttempt } from './refund-attempt.entity.ts';

/** An attempt as the routes and the operator's list show it, read in one statement (spec 2.12). */
export interface RefundAttemptRecord {
  attemptId: number;
  orderId: number;
  orderIncrementId: string;
  storeId: number;
  returnId: number | null;
  paymentMethod: string;
  channel: string;
  state: RefundAttemptState;
  baseAmount: number;
  amount: number;
  currencyCode: string;
  creditMemoId: number | null;
  creditMemoIncrementId: string | null;
  gatewayOutcome: string | null;
  gatewayReference: string | null;
  gatewayAccount: string | null;
  nameTail: string | null;
  message: string | null;
  resolvedBy: string | null;
  resolutionNote: string | null;
  createdAt: string;
  updatedAt: string;
}

const stockDate = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

const records = `
select a.attempt_id as "attemptId", a.order_id as "orderId", o.increment_id as "orderIncrementId", o.store_id as "storeId",
  a.return_id as "returnId", a.payment_method as "paymentMethod", a.channel, a.state,
  a.base_amount::float8 as "baseAmount", a.amount::float8 as amount, a.currency_code as "currencyCode",
  a.credit_memo_id as "creditMemoId", m.increment_id as "creditMemoIncrementId", a.gateway_outcome as "gatewayOutcome",
  a.gateway_reference as "gatewayReference", a.gateway_account as "gatewayAccount", a.name_tail as "nameTail", a.message, a.resolved_by as "resolvedBy",
  a.resolution_note as "resolutionNote", ${stockDate('a.created_at')} as "createdAt", ${stockDate('a.updated_at')} as "updatedAt"
from refund_attempt a
join sales_order o on o.entity_id = a.order_id
left join sales_creditmemo m on m.entity_id = a.credit_memo_id`;

const byId = `${records} where a.attempt_id = $1`;

export const unknownAttempt = (attemptId: number) => notFound('Refund attempt with id %1 does not exist', [attemptId]);

/** One attempt; 404 when there is none. */
export async function findRefundAttempt(em: EntityManager, attemptId: number): Promise<RefundAttemptRecord> {
  const [record] = await query<RefundAttemptRecord>(em, byId, [attemptId]);
  if (!record) throw unknownAttempt(attemptId);
  return record;
}

/** Attempts nobody knows the end of, the oldest first: what an operator works down. */
export const uncertainRefundAttempts = (em: EntityManager, limit: number): Promise<RefundAttemptRecord[]> =>
  em.execute<RefundAttemptRecord[]>(`${records} where a.state = 'uncertain' order by a.created_at limit ?`, [limit]);

const openTail = `
from refund_attempt a where a.order_id = $1 and a.return_id is not distinct from $2::int and a.state in ('started', 'uncertain')
limit 1`;

/** The attempt of a return, or of an order's goods without one, that nobody has decided about yet. */
export async function findOpenAttempt(
  em: EntityManager,
  { orderId, returnId }: { orderId: number; returnId: number | null },
): Promise<RefundAttempt | undefined> {
  const asked = { tail: openTail, values: [orderId, returnId] };
  const [row] = await readRows<{ a: RefundAttempt }>(em, { a: RefundAttempt }, asked);
  return row?.a;
}

const pendingText = `
select coalesce(sum(amount + credited), 0) as pending from refund_attempt
where order_id = $1 and state in ('started', 'uncertain')`;

/** What refunds under way keep of an order, in its own currency; the order itself keeps the base amount. */
export async function pendingRefund(em: EntityManager, orderId: number): Promise<Amount> {
  const [row] = await query<{ pending: string }>(em, pendingText, [orderId]);
  return money(row?.pending ?? '0');
}

/**
 * Locks the attempt and reads it anew; what is changed of it is written by `saveRows`. Its order and its return are locked
 * before, by the caller. 404 when unknown.
 */
export async function lockRefundAttempt(em: EntityManager, attemptId: number): Promise<RefundAttempt> {
  const asked = { tail: 'from refund_attempt a where a.attempt_id = $1 for update', values: [attemptId] };
  const [row] = await readRows<{ a: RefundAttempt }>(em, { a: RefundAttempt }, asked);
  if (!row) throw unknownAttempt(attemptId);
  return row.a;
}
