import type { Invariant } from '../invariant.ts';

/** Events are kept for a while: what happened before the first of them is not asked for. */
const since = '(select min(occurred_at) from pos_event)';

const isTold = (type: string, kind: string, id: string) =>
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
      where o.created_at > ${since} and (not ${isTold('order.placed', 'order', 'o.entity_id')}
        or o.state = 'canceled' and not ${isTold('order.cancelled', 'order', 'o.entity_id')})`,
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
      where a.created_at > ${since} and (a.state = 'uncertain' and not ${isTold('refund.uncertain', 'refund', 'a.attempt_id')}
        or a.state not in ('booked', 'failed') and ${isTold('refund.decided', 'refund', 'a.attempt_id')})`,
  },
  {
    id: 'E-05',
    sentence: 'Each return was told as created, and as settled and ended where it is; none else was.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, r.status, r.credit_memo_id
      from sale_return r
      where r.created_at > ${since} and (not ${isTold('return.created', 'return', 'r.return_id')}
        or (r.credit_memo_id is not null) <> ${isTold('return.settled', 'return', 'r.return_id')}
        or (r.status in ('resolved', 'closed', 'processed_closed')) <> ${isTold('return.closed', 'return', 'r.return_id')}
        or (r.status in ('rejected', 'denied')) <> ${isTold('return.refused', 'return', 'r.return_id')})`,
  },
];
