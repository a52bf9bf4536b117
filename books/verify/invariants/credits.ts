import { isMore } from '../in-coins.ts';
import type { Invariant } from '../invariant.ts';

/** Credit spent on orders, compared with payments, legs given back and refunds under way. */
export const creditInvariants: readonly Invariant[] = [
  {
    id: 'L-01',
    sentence: 'The credit that paid for an order is among its payments, to the cent.',
    needsQuiet: false,
    sql: `
      select o.order_id, o.amount as credit, o.money_in, o.base_amount as base_credit, o.base_money_in
      from (
        select coalesce(c.order_id, m.order_id) as order_id, coalesce(c.amount, 0) as amount,
               coalesce(m.amount, 0) as money_in, coalesce(c.base_amount, 0) as base_amount,
               coalesce(m.base_amount, 0) as base_money_in
        from (
          select order_id, sum(amount) as amount, sum(base_amount) as base_amount
          from order_credit where applies_as = 'tender' group by order_id
        ) c
        full join (
          select order_id, sum(amount) as amount, sum(base_amount) as base_amount
          from sales_money_in where kind = 'credit' group by order_id
        ) m on m.order_id = c.order_id
      ) o
      where o.amount <> o.money_in or o.base_amount <> o.base_money_in`,
  },
  {
    id: 'L-02',
    sentence: 'No credit comes back above what was spent, refunds under way included.',
    needsQuiet: false,
    sql: `
      select credit_id, order_id, kind, base_amount, base_returned, base_reserved, amount, amount_returned, amount_reserved,
             points, points_returned, points_reserved
      from order_credit
      where not (base_returned >= 0 and base_reserved >= 0 and base_returned + base_reserved <= base_amount
             and amount_returned >= 0 and amount_reserved >= 0 and amount_returned + amount_reserved <= amount
             and points_returned >= 0 and points_reserved >= 0
             and points_returned + points_reserved <= coalesce(points, 0))`,
  },
  {
    id: 'L-03',
    sentence: 'What a credit says came back is what its legs add up to.',
    needsQuiet: false,
    sql: `
      select c.credit_id, c.order_id, c.base_returned, coalesce(sum(r.base_amount), 0) as base_legs, c.amount_returned,
             coalesce(sum(r.amount), 0) as legs, c.points_returned, coalesce(sum(r.points), 0) as points_of_legs
      from order_credit c left join order_credit_return r on r.credit_id = c.credit_id
      group by c.credit_id
      having c.base_returned <> coalesce(sum(r.base_amount), 0) or c.amount_returned <> coalesce(sum(r.amount), 0)
          or c.points_returned <> coalesce(sum(r.points), 0)`,
  },
  {
    id: 'L-04',
    sentence: 'A credit memo gives back no more as credit than it is worth, and only credit of its own order.',
    needsQuiet: false,
    sql: `
      select m.entity_id as credit_memo_id, m.increment_id, m.order_id, m.base_grand_total, l.base_amount as base_legs,
             m.grand_total, l.amount as legs, l.is_of_another_order
      from sales_creditmemo m join sales_order o on o.entity_id = m.order_id
      join (
        select r.credit_memo_id, bool_or(c.order_id <> n.order_id) as is_of_another_order,
               coalesce(sum(r.base_amount) filter (where c.applies_as = 'tender'), 0) as base_amount,
               coalesce(sum(r.amount) filter (where c.applies_as = 'tender'), 0) as amount
        from order_credit_return r
        join order_credit c on c.credit_id = r.credit_id
        join sales_creditmemo n on n.entity_id = r.credit_memo_id
        group by r.credit_memo_id
      ) l on l.credit_memo_id = m.entity_id
      where l.is_of_another_order or ${isMore('l.base_amount', 'm.base_grand_total')}
         or ${isMore('l.amount', 'm.grand_total')}`,
  },
  {
    id: 'L-05',
    sentence: 'The credit that is promised to refunds under way is what their plans give back.',
    needsQuiet: false,
    sql: `
      select c.credit_id, c.order_id, c.base_reserved, coalesce(p.base_amount, 0) as base_planned, c.amount_reserved,
             coalesce(p.amount, 0) as planned, c.points_reserved, coalesce(p.points, 0) as points_planned
      from order_credit c
      left join (
        select (l ->> 'creditId')::int as credit_id, sum((l ->> 'baseAmount')::bigint) / 10000.0 as base_amount,
               sum((l ->> 'amount')::bigint) / 10000.0 as amount, sum((l ->> 'points')::bigint) as points
        from refund_attempt a cross join lateral jsonb_array_elements(coalesce(a.plan -> 'legs', '[]')) l
        where a.state in ('started', 'uncertain') group by 1
      ) p on p.credit_id = c.credit_id
      where c.base_reserved <> coalesce(p.base_amount, 0) or c.amount_reserved <> coalesce(p.amount, 0)
         or c.points_reserved <> coalesce(p.points, 0)`,
  },
  {
    id: 'L-06',
    sentence: 'Store credit was taken from the wallet for an order, and given back to it, as the order says.',
    needsQuiet: false,
    sql: `
      select c.credit_id, c.order_id, c.spend_key, c.base_amount, s.delta as taken
      from order_credit c
      left join store_credit_wallet w on w.customer_id = c.customer_id and w.website_id = c.website_id
      left join store_credit_entry s on s.wallet_id = w.wallet_id and s.booking_key = c.spend_key and s.event_type = 2
      where c.provider_code = 'store_credit' and s.delta is distinct from -c.base_amount
      union all
      select c.credit_id, c.order_id, r.return_key, r.base_amount, b.delta
      from order_credit_return r
      join order_credit c on c.credit_id = r.credit_id
      left join store_credit_wallet w on w.customer_id = c.customer_id and w.website_id = c.website_id
      left join store_credit_entry b on b.wallet_id = w.wallet_id and b.booking_key = r.return_key and b.event_type = 1
      where c.provider_code = 'store_credit' and r.base_amount > 0 and b.delta is distinct from r.base_amount`,
  },
  {
    id: 'L-07',
    sentence: 'Credit kept outside that an order was saved with was spent there for it, and the other way round.',
    needsQuiet: false,
    sql: `
      select coalesce(c.order_id, s.order_id) as order_id, c.credit_id, s.spending_id, c.spend_key, c.base_amount,
             s.base_amount as spent, s.state
      from (
        select * from order_credit where provider_code not in ('store_credit', 'gift_card', 'reward_points')
      ) c
      full join (select * from credit_spending where order_id is not null) s
        on s.order_id = c.order_id and concat_ws('-', 'credit-spending', s.spending_id, s.name_tail) = c.spend_key
      where c.credit_id is null or s.spending_id is null or s.state <> 'spent' or s.base_amount <> c.base_amount
         or s.amount <> c.amount or s.points is distinct from c.points or s.provider_code <> c.provider_code`,
  },
  {
    id: 'L-08',
    sentence: 'Credit that was spent outside for an order that never came is being given back within the hour.',
    needsQuiet: true,
    sql: `
      select spending_id, request_key, provider_code, base_amount, state, updated_at
      from credit_spending
      where order_id is null and state in ('reserved', 'spent') and updated_at < now() - interval '1 hour'`,
  },
];
