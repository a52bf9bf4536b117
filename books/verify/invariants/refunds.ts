import { isMore, type Invariant } from '../invariant.ts';

/** Refunds through a gateway: attempts compared with the memos they booked. */
export const refundInvariants: readonly Invariant[] = [
  {
    id: 'I-07',
    sentence:
      'A booked attempt has one credit memo, and the memo names that attempt, or the first of its tender lines.',
    needsQuiet: false,
    sql: `
      select m.entity_id as credit_memo_id, m.increment_id, a.attempt_id, a.state, m.refund_attempt_id,
        a.credit_memo_id as memo_of_attempt
      from (select * from sales_creditmemo where refund_attempt_id is not null) m
      full join (select * from refund_attempt where state = 'booked' or credit_memo_id is not null) a
        on coalesce(a.head_attempt_id, a.attempt_id) = m.refund_attempt_id
      where m.entity_id is null or a.attempt_id is null or a.state <> 'booked'
         or a.credit_memo_id is distinct from m.entity_id or a.order_id <> m.order_id`,
  },
  {
    id: 'I-07d',
    sentence:
      'The tender lines of a settled return come to its handback; a line by a gateway has a booked attempt of its amount.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, r.base_handback, t.lines, t.wrong
      from sale_return r
      join (
        select t.return_id, sum(t.base_amount) as lines,
          count(*) filter (where t.state <> 'booked' or (t.method = 'original_payment' and (a.state is distinct from 'booked'
            or a.amount <> t.amount or a.line_id <> t.line_id or a.return_id <> t.return_id))) as wrong
        from sale_return_tender t left join refund_attempt a on a.attempt_id = t.attempt_id group by t.return_id
      ) t on t.return_id = r.return_id
      where r.credit_memo_id is not null and (t.wrong > 0 or t.lines <> r.base_handback)`,
  },
  {
    id: 'I-07e',
    sentence: 'A tender line that went back before its memo has an attempt that says so, or a reference.',
    needsQuiet: false,
    sql: `
      select t.return_id, t.line_id, t.state, a.attempt_id, a.state as attempt_state, a.line_outcome
      from sale_return_tender t
      full join (select * from refund_attempt where line_outcome is not null) a on a.attempt_id = t.attempt_id
      where t.tender_id is null
        or (t.state = 'refunded' and t.reference is null
          and (a.state is distinct from 'started' or a.line_outcome is distinct from 'refunded'))`,
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
      select a.attempt_id, a.order_id, a.base_amount, a.base_credited, m.base_grand_total, a.amount, a.credited,
        m.grand_total
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
        from refund_attempt where state in ('started', 'uncertain') and line_outcome is null
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
        from refund_attempt where state in ('started', 'uncertain') and head_attempt_id is null group by order_id
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
        from refund_attempt where state in ('started', 'uncertain') and head_attempt_id is null group by order_id
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
        select string_agg(memo ->> 'refundAttemptId', ', ' order by (memo ->> 'refundAttemptId')::bigint) as kept
        from jsonb_array_elements(o.pending_memos) memo
      ) m on true
      left join (
        select order_id, string_agg(attempt_id::text, ', ' order by attempt_id) as undecided
        from refund_attempt where state in ('started', 'uncertain') and head_attempt_id is null group by order_id
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
