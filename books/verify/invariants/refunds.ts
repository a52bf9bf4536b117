import { longestTransaction } from '../../../db/telemetry/find-due-days.ts';
import { isMore, type Invariant } from '../invariant.ts';

/** Refunds through a gateway: attempts compared with the memos they booked. */
export const refundInvariants: readonly Invariant[] = [
  {
    id: 'I-07',
    sentence: 'A booked attempt has one credit memo, and the memo names that attempt.',
    needsQuiet: false,
    sql: `
      select m.entity_id as credit_memo_id, m.increment_id, a.attempt_id, a.state, m.refund_attempt_id, a.credit_memo_id as memo_of_attempt
      from (select * from sales_creditmemo where refund_attempt_id is not null) m
      full join (select * from refund_attempt where state = 'booked' or credit_memo_id is not null) a
        on a.attempt_id = m.refund_attempt_id
      where m.entity_id is null or a.attempt_id is null or a.state <> 'booked'
         or a.credit_memo_id is distinct from m.entity_id or a.order_id <> m.order_id`,
  },
  {
    id: 'I-07b',
    sentence: 'A credit memo that went through a gateway has an attempt.',
    needsQuiet: false,
    sql: `
      select entity_id as credit_memo_id, increment_id, order_id, transaction_id
      from sales_creditmemo where is_online and refund_attempt_id is null`,
  },
  {
    id: 'I-07c',
    sentence: 'An attempt and the credit beside it booked no more than its credit memo gives back.',
    needsQuiet: false,
    sql: `
      select a.attempt_id, a.order_id, a.base_amount, a.base_credited, m.base_grand_total, a.amount, a.credited, m.grand_total
      from refund_attempt a join sales_creditmemo m on m.entity_id = a.credit_memo_id
      join sales_order o on o.entity_id = m.order_id
      where ${isMore('a.base_amount + a.base_credited', 'm.base_grand_total')}
         or ${isMore('a.amount + a.credited', 'm.grand_total')}`,
  },
  {
    id: 'I-08',
    sentence: 'A return has one undecided refund attempt at most; so has an order without a return.',
    needsQuiet: false,
    sql: `
      select return_id, order_id, count(*) as undecided
      from (
        select return_id, case when return_id is null then order_id end as order_id
        from refund_attempt where state in ('started', 'uncertain')
      ) a
      group by return_id, order_id having count(*) > 1`,
  },
  {
    id: 'I-08b',
    sentence: 'A gateway reference is booked once per payment method.',
    needsQuiet: false,
    sql: `
      select payment_method, gateway_reference, count(*) as attempts
      from refund_attempt where gateway_reference is not null
      group by payment_method, gateway_reference having count(*) > 1`,
  },
  {
    id: 'I-08c',
    sentence: 'One refund intent gives money back once: of the attempts under one key one at most is booked.',
    needsQuiet: false,
    sql: `
      select idempotency_key, count(*) as booked
      from refund_attempt where state = 'booked' group by idempotency_key having count(*) > 1`,
  },
  {
    id: 'I-10b',
    sentence: 'Refunds booked and refunds under way are together no more than was paid for the order.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.base_total_paid, o.base_total_refunded, a.under_way
      from sales_order o
      join (
        select order_id, sum(base_amount + base_credited) as under_way
        from refund_attempt where state in ('started', 'uncertain') group by order_id
      ) a on a.order_id = o.entity_id
      where ${isMore('o.base_total_refunded + a.under_way', 'o.base_total_paid')}`,
  },
  {
    id: 'I-10c',
    sentence:
      'What an order has promised to refunds under way is what its undecided attempts ask for and give back as credit.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.base_pending_refund, coalesce(a.under_way, 0) as under_way
      from sales_order o
      left join (
        select order_id, sum(base_amount + base_credited) as under_way
        from refund_attempt where state in ('started', 'uncertain') group by order_id
      ) a on a.order_id = o.entity_id
      where o.base_pending_refund <> coalesce(a.under_way, 0)`,
  },
  {
    id: 'I-10f',
    sentence:
      'An order keeps the memo of each of its undecided attempts, and of no other: no refund takes their goods.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, m.kept, a.undecided
      from sales_order o
      left join lateral (
        select string_agg(memo ->> 'refundAttemptId', ', ' order by (memo ->> 'refundAttemptId')::int) as kept
        from jsonb_array_elements(o.pending_memos) memo
      ) m on true
      left join (
        select order_id, string_agg(attempt_id::text, ', ' order by attempt_id) as undecided
        from refund_attempt where state in ('started', 'uncertain') group by order_id
      ) a on a.order_id = o.entity_id
      where (o.pending_memos is not null or a.undecided is not null) and m.kept is distinct from a.undecided`,
  },
  {
    id: 'I-12',
    sentence: 'While an attempt is undecided its return has no credit memo and is not closed.',
    needsQuiet: false,
    sql: `
      select a.attempt_id, a.state, r.return_id, r.status, r.credit_memo_id
      from refund_attempt a join sale_return r on r.return_id = a.return_id
      where a.state in ('started', 'uncertain')
        and (r.credit_memo_id is not null or r.status in ('resolved', 'closed', 'processed_closed'))`,
  },
  {
    id: 'I-31b',
    sentence: 'An attempt that a person decided says who did, with their note.',
    needsQuiet: false,
    sql: `
      select attempt_id, state, resolved_by, resolution_note
      from refund_attempt
      where (resolved_by is null) <> (resolution_note is null)
         or trim(resolved_by) = ''`,
  },
];

/** Events are kept for a while: what happened before the first of them is not asked for. */
const since = '(select min(occurred_at) from pos_event)';

const reported = (type: string, kind: string, id: string) =>
  `exists (select from pos_event e where e.type = '${type}' and e.object_kind = '${kind}' and e.object_id = ${id}::text)`;

/** What was told is what happened, and what happened was told. */
export const eventInvariants: readonly Invariant[] = [
  {
    id: 'E-01',
    sentence: 'Each order was told as placed, and as cancelled where it is.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.state, o.created_at
      from sales_order o
      where o.created_at > ${since} and (not ${reported('order.placed', 'order', 'o.entity_id')}
        or o.state = 'canceled' and not ${reported('order.cancelled', 'order', 'o.entity_id')})`,
  },
  {
    id: 'E-02',
    sentence: 'Each credit memo was told as a refund of its order, once.',
    needsQuiet: false,
    sql: `
      select m.entity_id as credit_memo_id, m.increment_id, m.order_id, t.times
      from sales_creditmemo m
      left join (
        select facts ->> 'credit_memo_id' as memo_id, count(*) as times from pos_event where type = 'order.refunded' group by 1
      ) t on t.memo_id = m.entity_id::text
      where m.created_at > ${since} and m.state = 2 and t.times is distinct from 1`,
  },
  {
    id: 'E-03',
    sentence:
      'What was told of an order is so: it is there, is cancelled where that was told, and has the memo of each refund.',
    needsQuiet: false,
    sql: `
      select e.event_id, e.type, e.object_id, o.state
      from pos_event e left join sales_order o on o.entity_id::text = e.object_id
      where e.object_kind = 'order' and (o.entity_id is null or e.type = 'order.cancelled' and o.state <> 'canceled'
        or e.type = 'order.refunded' and not exists (
          select from sales_creditmemo m where m.entity_id = (e.facts ->> 'credit_memo_id')::int and m.order_id = o.entity_id))`,
  },
  {
    id: 'E-04',
    sentence: 'A refund in doubt was told, and what was told as decided is decided.',
    needsQuiet: false,
    sql: `
      select a.attempt_id, a.state, a.order_id
      from refund_attempt a
      where a.created_at > ${since} and (a.state = 'uncertain' and not ${reported('refund.uncertain', 'refund', 'a.attempt_id')}
        or a.state not in ('booked', 'failed') and ${reported('refund.decided', 'refund', 'a.attempt_id')})`,
  },
  {
    id: 'E-05',
    sentence: 'Each return was told as created, and as settled and ended where it is; none else was.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, r.status, r.credit_memo_id
      from sale_return r
      where r.created_at > ${since} and (not ${reported('return.created', 'return', 'r.return_id')}
        or (r.credit_memo_id is not null) <> ${reported('return.settled', 'return', 'r.return_id')}
        or (r.status in ('resolved', 'closed', 'processed_closed')) <> ${reported('return.closed', 'return', 'r.return_id')}
        or (r.status in ('rejected', 'denied')) <> ${reported('return.refused', 'return', 'r.return_id')})`,
  },
];

/** Carts and the orders they became. */
export const cartInvariants: readonly Invariant[] = [
  {
    id: 'C-01',
    sentence: 'A cart is active until it has an order, and never again.',
    needsQuiet: false,
    sql: `select quote_id, customer_id, is_active, order_id from quote where is_active <> (order_id is null)`,
  },
  {
    id: 'C-02',
    sentence: 'An order of a cart has that one cart, of the same customer.',
    needsQuiet: false,
    sql: `
      select q.order_id, array_agg(q.quote_id) as carts, o.quote_id, o.customer_id
      from quote q join sales_order o on o.entity_id = q.order_id
      group by q.order_id, o.quote_id, o.customer_id
      having count(*) > 1 or min(q.quote_id) is distinct from o.quote_id or min(q.customer_id) is distinct from o.customer_id`,
  },
  {
    id: 'C-03',
    sentence: 'A customer has one active cart on a website.',
    needsQuiet: false,
    sql: `
      select customer_id, website_id, count(*) as carts
      from quote where is_active and customer_id is not null group by customer_id, website_id having count(*) > 1`,
  },
];

/** Telemetry that registers sent. */
export const telemetryInvariants: readonly Invariant[] = [
  {
    id: 'I-29',
    sentence: 'The sums of a day of telemetry that is over are those of its events.',
    needsQuiet: true,
    // One week back: a wrong sum would recur every night, and older days have many millions of rows.
    sql: `
      select s.day, s.events as summed_events, r.events, s.total as summed_total, r.total
      from (
        select day, sum(event_count) as events, sum(value_count) as values, sum(value_sum) as total,
          min(summarised_at) as at
        from pos_telemetry_summary where day between current_date - 7 and current_date - 1 group by day
      ) as s
      join (
        select recorded_on as day, count(*) as events, count(value) as values, coalesce(sum(value), 0) as total,
          max(received_at) as last_at
        from pos_telemetry_event where recorded_on between current_date - 7 and current_date - 1 group by recorded_on
      ) as r using (day)
      where r.last_at <= s.at - ${longestTransaction}
        and (s.events, s.values, s.total) is distinct from (r.events, r.values, r.total)`,
  },
];
