import { isMore, isOther, type Invariant } from '../invariant.ts';

/** Collapsed returns: goods back and money back in one call. */
export const processInvariants: readonly Invariant[] = [
  {
    id: 'P-01',
    sentence: 'A collapsed return that is done has a credit memo of its order, alone, and its return has the same.',
    needsQuiet: false,
    sql: `
      select p.process_id, p.order_id, p.credit_memo_id, m.order_id as memo_of_order, r.credit_memo_id as memo_of_return
      from return_process p
      join sales_creditmemo m on m.entity_id = p.credit_memo_id
      left join sale_return r on r.return_id = p.return_id
      where m.order_id <> p.order_id or (p.return_id is not null and r.credit_memo_id is distinct from p.credit_memo_id)
         or exists (select from return_process o where o.credit_memo_id = p.credit_memo_id
           and o.process_id <> p.process_id)`,
  },
  {
    id: 'P-02',
    sentence: 'Store credit that a collapsed return issued is in the books of refunds to credit, once, to the cent.',
    needsQuiet: false,
    sql: `
      select p.process_id, p.store_credit_issued, coalesce(sum(c.amount), 0) as refunded_to_credit, count(c.*) as times
      from return_process p
      left join credit_refund c on c.order_id = p.order_id and c.request_key = 'process-' || p.credit_memo_id
        and c.state = 'booked'
      where p.credit_memo_id is not null
      group by p.process_id, p.store_credit_issued
      having p.store_credit_issued <> coalesce(sum(c.amount), 0) or count(c.*) > 1`,
  },
  {
    id: 'P-03',
    sentence: 'A run that did not go through says why, and so does the history of its order.',
    needsQuiet: false,
    sql: `
      select p.process_id, p.order_id, p.state, p.refusal ->> 'message' as message
      from return_process p
      where p.state in ('refused', 'failed', 'unattempted') and ((p.refusal is null) <> (p.state = 'unattempted')
        or not exists (
        select from sales_order_status_history h where h.parent_id = p.order_id
          and h.comment like 'A return%processed%'))`,
  },
];

/**
 * Our books compared with the gateway's; the queries read the tables `gateway_refund` and `gateway_call`. A posted
 * figure may be finer than a coin, and a gateway moves whole coins.
 */
export const gatewayInvariants: readonly Invariant[] = [
  {
    id: 'I-09',
    sentence: 'The gateway was called once per attempt, not more.',
    needsQuiet: false,
    sql: `
      select "merchantReference" as merchant_reference, count(*) as calls
      from gateway_call group by "merchantReference" having count(*) > 1`,
  },
  {
    id: 'I-09b',
    sentence: 'The gateway gave money back once per refund intent.',
    needsQuiet: false,
    sql: `
      select "idempotencyKey" as idempotency_key, count(*) as refunds, sum(amount) as amount
      from gateway_refund where state = 'refunded' group by "idempotencyKey" having count(*) > 1`,
  },
  {
    id: 'I-10d',
    sentence: 'The gateway gave back no more of a payment than was captured.',
    needsQuiet: false,
    sql: `
      select "paymentId" as payment_id, sum(amount) as refunded, max("capturedAmount") as captured
      from gateway_refund where state = 'refunded' and "paymentId" is not null
      group by "paymentId", currency having in_coins(sum(amount), currency) > in_coins(max("capturedAmount"),
        currency)`,
  },
  {
    id: 'I-10e',
    sentence: 'The gateway gave back no more for an order than was paid for it in money.',
    needsQuiet: true,
    sql: `
      select o.entity_id as order_id, o.increment_id, sum(g.amount) as refunded_by_gateway, o.total_paid, c.credit
      from gateway_refund g
      join (select distinct idempotency_key, order_id from refund_attempt) a on a.idempotency_key = g."idempotencyKey"
      join sales_order o on o.entity_id = a.order_id
      cross join lateral (
        select coalesce(sum(amount), 0) as credit from order_credit
        where order_id = o.entity_id and applies_as = 'tender'
      ) c
      where g.state = 'refunded'
      group by o.entity_id, o.increment_id, o.total_paid, o.order_currency_code, c.credit
      having ${isMore('sum(g.amount)', 'o.total_paid - c.credit')}`,
  },
  {
    id: 'I-11',
    sentence: 'What we booked as refunded for an order is what the gateway gave back, once nothing is undecided.',
    needsQuiet: true,
    sql: `
      select o.entity_id as order_id, o.increment_id, b.booked, coalesce(g.refunded, 0) as refunded_by_gateway
      from sales_order o
      join (
        select order_id, coalesce(sum(amount) filter (where state = 'booked'), 0) as booked
        from refund_attempt group by order_id having count(*) filter (where state in ('started', 'uncertain')) = 0
      ) b on b.order_id = o.entity_id
      left join (
        select a.order_id, sum(r.amount) as refunded
        from gateway_refund r
        join (select distinct idempotency_key, order_id from refund_attempt) a on a.idempotency_key = r."idempotencyKey"
        where r.state = 'refunded' group by a.order_id
      ) g on g.order_id = o.entity_id
      where ${isOther('b.booked', 'coalesce(g.refunded, 0)')}`,
  },
  {
    id: 'I-11b',
    sentence: 'The gateway gave nothing back that we did not ask for.',
    needsQuiet: true,
    sql: `
      select g."idempotencyKey" as idempotency_key, g.amount, g.currency, g."paymentId" as payment_id
      from gateway_refund g
      where g.state = 'refunded'
        and not exists (select from refund_attempt a where a.idempotency_key = g."idempotencyKey")`,
  },
];
