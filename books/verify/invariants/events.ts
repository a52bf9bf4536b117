import type { Invariant } from '../invariant.ts';

/**
 * Events are kept for a while: what happened before the first of them is not asked for. Once some went, a day more is
 * left out: an event that was committed late stands behind younger ones, which went before it.
 */
const since = `(select min(occurred_at) + case when min(sequence) > 1 then interval '1 day' else interval '0' end
  from pos_event)`;

/** How often a type was told of each object: joined, so that a rule takes as long as the books are, not its square. */
const reported = (type: string) =>
  `(select object_id, count(*) as times from pos_event where type = '${type}' group by object_id)`;

/** What was told is what happened, and what happened was told. */
export const eventInvariants: readonly Invariant[] = [
  {
    id: 'E-01',
    sentence:
      'Each order was told once as placed, and as cancelled where it is, and as paid where nothing is due of it.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.state, o.created_at
      from sales_order o
      left join ${reported('order.placed')} p on p.object_id = o.entity_id::text
      left join ${reported('order.cancelled')} c on c.object_id = o.entity_id::text
      left join ${reported('order.paid')} m on m.object_id = o.entity_id::text
      where o.created_at > ${since} and (p.times is distinct from 1
        or coalesce(c.times, 0) <> (o.state = 'canceled')::int
        or o.state not in ('canceled', 'closed') and o.pos_layaway_status is distinct from 'cancelled' and o.total_due = 0
          and m.times is null)`,
  },
  {
    id: 'E-02',
    sentence: 'Each credit memo was told as a refund of its order, once.',
    needsQuiet: false,
    sql: `
      select m.entity_id as credit_memo_id, m.increment_id, m.order_id, t.times
      from sales_creditmemo m
      left join (
        select facts ->> 'credit_memo_id' as memo_id, count(*) as times from pos_event where type = 'order.refunded'
          group by 1
      ) t on t.memo_id = m.entity_id::text
      where m.created_at > ${since} and m.state = 2 and t.times is distinct from 1`,
  },
  {
    id: 'E-03',
    sentence:
      'What was told of an order is so: it is there, is cancelled where that was told, and has the memo of each ' +
      'refund.',
    needsQuiet: false,
    // Joined as numbers: as texts five million events took minutes, so three seconds.
    sql: `
      select e.event_id, e.type, e.object_id, o.state
      from pos_event e
      left join sales_order o on o.entity_id = case when e.object_kind = 'order' then e.object_id::bigint end
      left join sales_creditmemo m
        on m.entity_id = case when e.type = 'order.refunded' then (e.facts ->> 'credit_memo_id')::bigint end
      where e.object_kind = 'order' and (o.entity_id is null or e.type = 'order.cancelled' and o.state <> 'canceled'
        or e.type = 'order.refunded' and m.order_id is distinct from o.entity_id)`,
  },
  {
    id: 'E-04',
    sentence: 'A refund in doubt was told, and what was told as decided is decided.',
    needsQuiet: false,
    sql: `
      select a.attempt_id, a.state, a.order_id
      from refund_attempt a
      left join ${reported('refund.uncertain')} u on u.object_id = a.attempt_id::text
      left join ${reported('refund.decided')} d on d.object_id = a.attempt_id::text
      where a.created_at > ${since} and (a.state = 'uncertain' and u.object_id is null
        or a.state not in ('booked', 'failed') and d.object_id is not null)`,
  },
  {
    id: 'E-05',
    sentence: 'Each return was told once as created, and as settled and ended where it is; none else was.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.increment_id, r.status, r.credit_memo_id
      from sale_return r
      left join ${reported('return.created')} n on n.object_id = r.return_id::text
      left join ${reported('return.settled')} s on s.object_id = r.return_id::text
      left join ${reported('return.closed')} c on c.object_id = r.return_id::text
      left join ${reported('return.refused')} d on d.object_id = r.return_id::text
      where r.created_at > ${since} and (n.times is distinct from 1
        or coalesce(s.times, 0) <> (r.credit_memo_id is not null)::int
        or coalesce(c.times, 0) <> (r.status in ('resolved', 'closed', 'processed_closed'))::int
        or coalesce(d.times, 0) <> (r.status in ('rejected', 'denied'))::int)`,
  },
  {
    id: 'E-06',
    sentence: 'Of each object one delivery that waits is the next, the first of them.',
    needsQuiet: true,
    sql: `
      select d.endpoint_id, d.delivery_id, d.object_key, d.sequence, d.is_next
      from (
        select *, row_number() over (partition by endpoint_id, object_key order by sequence) as place
        from webhook_delivery where state = 'waiting'
      ) d where d.is_next <> (d.place = 1)`,
  },
  {
    // An administrator's save may take its status away and give it back, or its cancellation: then it is told again.
    id: 'E-07',
    sentence: 'Each layaway was told as opened, and as cancelled where it is.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.state, o.pos_layaway_status
      from sales_order o
      left join ${reported('layaway.opened')} n on n.object_id = o.entity_id::text
      left join ${reported('layaway.cancelled')} c on c.object_id = o.entity_id::text
      where o.created_at > ${since} and o.pos_layaway_status is not null and (n.times is null
        or c.times is null and (o.pos_layaway_status = 'cancelled' or o.state = 'canceled'))`,
  },
  {
    id: 'E-08',
    sentence: 'Each movement of credit was told once, with what it left.',
    needsQuiet: false,
    sql: `
      select l.kind, l.entry_id, t.times
      from (
        select 'store_credit' as kind, entry_id, balance_after::numeric, created_at from store_credit_entry
        union all select 'gift_card', entry_id, balance_after, created_at from gift_card_entry
        union all select 'reward_points', entry_id, balance_after, created_at from reward_points_entry
      ) l
      left join (
        select object_kind, facts ->> 'entry_id' as entry_id, (facts ->> 'balance')::numeric as balance,
          count(*) as times
        from pos_event where type = 'credit.changed' group by 1, 2, 3
      ) t on t.object_kind = l.kind and t.entry_id = l.entry_id::text and t.balance = l.balance_after
      where l.created_at > ${since} and t.times is distinct from 1`,
  },
  {
    id: 'E-09',
    sentence: 'What was told last of a shelf is what lies on it.',
    needsQuiet: false,
    sql: `
      select t.sku, t.source_code, t.quantity as told, s.quantity
      from (
        select distinct on (object_id, facts ->> 'source_code') object_id as sku,
          facts ->> 'source_code' as source_code,
          (facts ->> 'quantity')::numeric as quantity
        from pos_event where type = 'stock.moved' order by object_id, facts ->> 'source_code', event_id desc
      ) t
      left join inventory_source_item s on s.sku = t.sku and s.source_code = t.source_code
      where t.quantity <> coalesce(s.quantity, 0)`,
  },
  {
    id: 'E-10',
    sentence: 'The changes of a product’s stock at a source add up: each begins with what the one before left.',
    needsQuiet: false,
    sql: `
      select event_id, object_id as sku, source_code, left_before, quantity_before
      from (
        select event_id, object_id, facts ->> 'source_code' as source_code,
          (facts ->> 'quantity_before')::numeric as quantity_before,
          lag((facts ->> 'quantity')::numeric)
            over (partition by object_id, facts ->> 'source_code' order by event_id) as left_before
        from pos_event where type = 'stock.moved'
      ) change where quantity_before <> left_before`,
  },
];
