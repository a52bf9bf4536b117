import type { EntityManager } from '@mikro-orm/postgresql';
import { money, type Amount } from '../../domain/money/amount.ts';
import { query } from '../support/query.ts';

/** Everything a gateway call needs, read in the statement that claimed it. */
export interface ClaimedCall {
  attemptId: number;
  orderId: number;
  returnId: number | null;
  storeId: number;
  paymentMethod: string;
  idempotencyKey: string;
  paymentReference: string | null;
  amount: Amount;
  currencyCode: string;
  orderIncrementId: string;
  /** Paid in money: credit was never captured. */
  capturedAmount: Amount;
  callDeadline: Date;
}

interface Row {
  attempt_id: number;
  order_id: number;
  return_id: number | null;
  store_id: number;
  payment_method: string;
  idempotency_key: string;
  payment_reference: string | null;
  amount: string;
  currency_code: string;
  increment_id: string;
  captured: string;
  call_deadline: string;
}

/**
 * Claims the one call of an attempt, in a commit of its own, by compare and set: the statement that wins it.
 *
 * @param account of the gateway that will be called, kept with the attempt
 * @returns undefined when the call was claimed before, or the attempt was decided meanwhile: then nothing may be sent
 */
export async function claimRefundCall(
  em: EntityManager,
  { attemptId, timeoutSeconds, account }: { attemptId: number; timeoutSeconds: number; account?: string | undefined },
): Promise<ClaimedCall | undefined> {
  const [row] = await query<Row>(em, claimText, [timeoutSeconds, attemptId, account ?? null]);
  return row && claimOf(row);
}

const claimText = `
update refund_attempt a
set call_started_at = clock_timestamp(), call_deadline = clock_timestamp() + make_interval(secs => $1), gateway_account = $3,
  updated_at = now()
from sales_order o
where a.attempt_id = $2 and a.state = 'started' and a.call_started_at is null and o.entity_id = a.order_id
returning a.attempt_id, a.order_id, a.return_id, o.store_id, a.payment_method, a.idempotency_key, a.payment_reference, a.amount, a.currency_code,
  o.increment_id, o.total_paid - (select coalesce(sum(c.amount), 0) from order_credit c
    where c.order_id = o.entity_id and c.applies_as = 'tender') as captured, to_char(a.call_deadline at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as call_deadline`;

const claimOf = (row: Row): ClaimedCall => ({
  attemptId: row.attempt_id,
  orderId: row.order_id,
  returnId: row.return_id,
  storeId: row.store_id,
  paymentMethod: row.payment_method,
  idempotencyKey: row.idempotency_key,
  paymentReference: row.payment_reference,
  amount: money(row.amount),
  currencyCode: row.currency_code,
  orderIncrementId: row.increment_id,
  capturedAmount: money(row.captured),
  callDeadline: new Date(row.call_deadline),
});
