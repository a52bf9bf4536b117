import type { EntityManager } from '@mikro-orm/postgresql';
import { of } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { RefundAttempt } from './refund-attempt.entity.ts';
import { effectiveDate } from './refund-attempt.repository.ts';

/**
 * A refund through a gateway that one of the platform's own routes asked for: its attempt, or its memo of credit alone.
 */
export type DocumentRefundRecord = RowFrom<typeof selectDocumentRefund>;

/**
 * What became of a refund, by the operation key of its request. Undefined: it wrote nothing, or its attempt was given
 * up before the gateway was called. So the same request may begin again.
 */
export const readDocumentRefund = (
  em: EntityManager,
  { orderId, operationKey }: { orderId: number; operationKey: string },
): Promise<DocumentRefundRecord | undefined> => selectDocumentRefund.first(em, { orderId, operationKey, graceSeconds });

/** What a worker needs after the deadline of its call: to book an answer, or to look it up. */
const graceSeconds = 5;

const selectDocumentRefund = sql('read-document-refund.selectDocumentRefund', { gives: of(RefundAttempt, 'state') })`
  select a.attempt_id, a.state, a.message, a.credit_memo_id, a.payment_method, a.currency_code,
    ${effectiveDate('a')} as effective_at, a.amount::float8 as amount, o.increment_id, a.call_started_at is not null as is_claimed,
    greatest(0, coalesce(ceil(extract(epoch from a.call_deadline - clock_timestamp())), 0))::float8 as wait_seconds,
    coalesce(a.state = 'started' and a.call_deadline + make_interval(secs => $graceSeconds) > clock_timestamp(),
      false)
      as is_awaited
  from refund_attempt a join sales_order o on o.entity_id = a.order_id
  where a.order_id = $orderId and a.plan #>> '{memo,requestKey}' = $operationKey
    and (a.state <> 'failed' or a.call_started_at is not null)
  union all
  select null, 'booked', null, m.entity_id, p.method, o.order_currency_code, null, m.grand_total::float8, o.increment_id,
    false, 0, false
  from sales_creditmemo m join sales_order o on o.entity_id = m.order_id
    join sales_order_payment p on p.order_id = o.entity_id
  where m.order_id = $orderId and m.operation_key = $operationKey
  limit 1`;
