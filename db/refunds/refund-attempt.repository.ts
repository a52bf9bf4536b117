import type { EntityManager } from '@mikro-orm/postgresql';
import { zero, type Amount } from '../../domain/money.ts';
import { afterCallSeconds } from '../../domain/refunds/refund-finding.ts';
import { refundAttemptNotFound } from '../../domain/refusals/money.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { flag, float, orNull, definite, text, type RowOf } from '../support/entity-columns.ts';
import { of, rowOf } from '../support/rows.ts';
import { keep } from '../support/save-rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { RefundAttempt } from './refund-attempt.entity.ts';

/** An attempt as stored. */
export type AttemptRow = RowOf<typeof RefundAttempt>;

/** An attempt for the routes and the operator's list, read in one statement (spec 2.12). Money as JSON numbers. */
export type RefundAttemptRecord = RowFrom<typeof byId>;

const stockDate = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** A later effect is rounded up to a second: the decision has taken effect at the moment that is named. */
export const effectiveDate = (attempt: string) =>
  stockDate(
    `date_trunc('second', ${attempt}.effective_at + case when ${attempt}.effective_at > ${attempt}.decided_at
      then interval '999999 microseconds' else interval '0' end)`,
  );

const record = {
  ...of(RefundAttempt, 'attemptId', 'orderId', 'returnId', 'paymentMethod', 'channel', 'state', 'currencyCode'),
  ...of(RefundAttempt, 'lineId', 'lineOutcome'),
  ...of(RefundAttempt, 'creditMemoId', 'gatewayOutcome', 'gatewayReference', 'gatewayAccount', 'nameTail'),
  ...of(RefundAttempt, 'message', 'resolvedBy', 'resolutionNote'),
  decidedAt: orNull(text),
  /** In UTC; the decision has taken effect a moment later. */
  effectiveAt: orNull(text),
  ...of(Order, 'storeId'),
  orderIncrementId: text,
  creditMemoIncrementId: orNull(text),
  baseAmount: float,
  amount: float,
  /** Somebody called the gateway for it, or was about to. */
  isClaimed: definite(flag),
  /** Whoever called may still learn and book what the gateway answers, by the database's clock. */
  isAwaited: definite(flag),
  createdAt: text,
  updatedAt: text,
};

const records = `
  select a.attempt_id, a.order_id, o.increment_id as order_increment_id, o.store_id, a.return_id, a.payment_method,
    a.channel, a.state, a.line_id, a.line_outcome, a.base_amount::float8 as base_amount, a.amount::float8 as amount, a.currency_code,
    a.call_started_at is not null as is_claimed,
    coalesce(a.state = 'started' and a.call_deadline + interval '${afterCallSeconds} seconds' > clock_timestamp(),
      false)
      as is_awaited, a.credit_memo_id, m.increment_id as credit_memo_increment_id, a.gateway_outcome,
        a.gateway_reference,
    a.gateway_account, a.name_tail, a.message, a.resolved_by, a.resolution_note,
    ${stockDate('a.decided_at')} as decided_at, ${effectiveDate('a')} as effective_at,
    ${stockDate('a.created_at')} as created_at, ${stockDate('a.updated_at')} as updated_at
  from refund_attempt a
  join sales_order o on o.entity_id = a.order_id
  left join sales_creditmemo m on m.entity_id = a.credit_memo_id`;

const byId = sql('refund-attempt.repository.byId', { gives: record })`${records} where a.attempt_id = $attemptId`;

export const unknownAttempt = (attemptId: number) => refundAttemptNotFound([attemptId]);

/** One attempt; 404 when there is none. */
export async function findRefundAttempt(em: EntityManager, attemptId: number): Promise<RefundAttemptRecord> {
  const found = await byId.first(em, { attemptId });
  if (!found) throw unknownAttempt(attemptId);
  return found;
}

/** Uncertain attempts, the oldest first: the operator's list of work. */
export const uncertainRefundAttempts = (em: EntityManager, limit: number): Promise<RefundAttemptRecord[]> =>
  uncertain.all(em, { limit });

const uncertain = sql('refund-attempt.repository.uncertain', {
  gives: record,
})`${records} where a.state = 'uncertain' order by a.created_at limit $limit`;

/** The undecided attempt of a return, or of goods without a return. A tender line with its answer is decided. */
export const findOpenAttempt = async (
  em: EntityManager,
  { orderId, returnId }: { orderId: number; returnId: number | null },
): Promise<AttemptRow | undefined> => (await open.first(em, { orderId, returnId }))?.attempt;

const attempt = rowOf(RefundAttempt, 'a');

const open = sql('refund-attempt.repository.open', { gives: { attempt } })`
  select ${attempt.columns} from refund_attempt a
  where a.order_id = $orderId and a.return_id is not distinct from $returnId?::bigint
    and a.state in ('started', 'uncertain') and a.line_outcome is null
  limit 1`;

/** What refunds under way reserve of an order, in its own currency; the order itself has the base amount. */
export const pendingRefund = async (em: EntityManager, orderId: number): Promise<Amount> =>
  (await pending.first(em, { orderId }))?.pending ?? zero;

const pending = sql('refund-attempt.repository.pending')`
  select coalesce(sum(amount + credited), 0) as pending from refund_attempt
  where order_id = $orderId and state in ('started', 'uncertain') and head_attempt_id is null`;

/**
 * Locks an attempt and reads it again; `saveRows` writes its changes. The caller has locked its order and its return
 * before. 404 when unknown.
 */
export async function lockRefundAttempt(em: EntityManager, attemptId: number): Promise<AttemptRow> {
  const row = await lock.first(em, { attemptId });
  if (!row) throw unknownAttempt(attemptId);
  return keep(row.attempt);
}

const lock = sql('refund-attempt.repository.lock', { gives: { attempt } })`
  select ${attempt.columns} from refund_attempt a where a.attempt_id = $attemptId for update`;
