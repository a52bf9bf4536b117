import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amount, flag, float, integer, orNull, text } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { sameIntent, sameIntentSql } from './open-refund-attempt.ts';
import { RefundAttempt } from './refund-attempt.entity.ts';

/** Everything a gateway call needs, read by the statement that claims it. */
export type ClaimedCall = RowFrom<typeof claim>;

/**
 * Claims the one call of an attempt, in a separate commit, by compare and set: the caller whose statement wins makes
 * the call.
 *
 * The row's deadline is by the database's clock, for weighing findings later. The caller counts by its own clock,
 * from before the claim was sent, so its own deadline is earlier.
 *
 * @param account of the gateway that will be called, stored with the attempt
 * @param beginBefore the moment after which the call must not begin any more, because nobody waits for it; absent: it
 * always may
 * @returns undefined when the call was claimed before, it is too late, or the attempt was decided meanwhile: then nothing may
 * be sent
 */
export const claimRefundCall = (
  em: EntityManager,
  { account, beginBefore, ...input }: CallToClaim,
): Promise<ClaimedCall | undefined> =>
  claim.first(em, { ...input, account: account ?? null, beginBefore: beginBefore ?? null });

interface CallToClaim {
  attemptId: number;
  timeoutSeconds: number;
  account?: string | undefined;
  beginBefore?: string | undefined;
}

const claim = statement({
  takes: { attemptId: integer, timeoutSeconds: float, account: orNull(text), beginBefore: orNull(text) },
  gives: {
    ...of(RefundAttempt, 'attemptId', 'orderId', 'returnId', 'paymentMethod', 'idempotencyKey', 'paymentReference'),
    ...of(RefundAttempt, 'amount', 'currencyCode', 'nameTail'),
    sameIntent,
    /** After a restore: refunds that the gateway made may be missing here. */
    isRestored: flag,
    ...of(Order, 'storeId'),
    orderIncrementId: text,
    /** Paid with money, in coins: credit was never captured. Of a layaway, what this one payment brought in. */
    capturedAmount: amount,
  },
  text: `
    update refund_attempt a
    set call_started_at = clock_timestamp(), call_deadline = clock_timestamp() + make_interval(secs => $timeoutSeconds),
      gateway_account = $account, updated_at = now()
    from sales_order o
    where a.attempt_id = $attemptId and a.state = 'started' and a.call_started_at is null and o.entity_id = a.order_id
      and ($beginBefore::text is null or clock_timestamp() <= $beginBefore::timestamptz)
    returning a.attempt_id, a.order_id, a.return_id, o.store_id, a.payment_method, a.idempotency_key,
      a.payment_reference,
      a.amount, a.currency_code, a.name_tail, ${sameIntentSql} as same_intent,
      exists (select from installation where restored_at is not null) as is_restored, o.increment_id as
        order_increment_id,
      in_coins(coalesce(
        (select m.amount from sales_money_in m
          where m.order_id = o.entity_id and m.kind = 'layaway_capture' and m.reference = a.payment_reference),
        o.total_paid - (select coalesce(sum(c.amount), 0) from order_credit c
          where c.order_id = o.entity_id and c.applies_as = 'tender')), o.order_currency_code) as captured_amount`,
});

/**
 * Stores a gateway's answer that decides nothing, so that an operator can read it. The call is over: whoever waits for
 * its answer may ask the gateway what became of it.
 *
 * A note on an attempt that is still `started`; a repeat writes the same. A finding recorded since stays.
 */
export async function keepGatewayWord(
  em: EntityManager,
  attemptId: number,
  { gatewayOutcome, message }: RefundFinding,
): Promise<void> {
  await note.run(em, { attemptId, gatewayOutcome: gatewayOutcome ?? null, message: message ?? null });
}

const note = statement({
  takes: { attemptId: integer, gatewayOutcome: orNull(text), message: orNull(text) },
  text: `
    update refund_attempt set gateway_outcome = coalesce($gatewayOutcome, gateway_outcome),
      message = coalesce($message, message), call_ended_at = coalesce(call_ended_at, clock_timestamp()), updated_at =
        now()
    where attempt_id = $attemptId and state = 'started'`,
});
