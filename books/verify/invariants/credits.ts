import { isMore, type Invariant } from '../invariant.ts';

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
      select credit_id, order_id, kind, base_amount, base_returned, base_reserved, amount, amount_returned,
        amount_reserved,
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
        select (l ->> 'creditId')::bigint as credit_id, sum((l ->> 'baseAmount')::bigint) / 10000.0 as base_amount,
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
  {
    id: 'L-09',
    sentence: 'Store credit that a refund promised is issued within an hour.',
    needsQuiet: true,
    sql: `
      select p.order_id, o.increment_id, p.amount, p.currency_code, p.since
      from store_credit_promise p join sales_order o on o.entity_id = p.order_id
      where p.since < now() - interval '1 hour'`,
  },
  {
    id: 'L-10',
    sentence: 'The list of promised store credit has what memos promised and no refund to credit issued.',
    needsQuiet: false,
    sql: `
      select coalesce(p.order_id, w.order_id) as order_id, p.amount as listed, w.amount as promised
      from store_credit_promise p
      full join (
        select m.order_id, s.amount, s.currency_code
        from (
          select order_id from sale_return where refund_method = 'store_credit' and credit_memo_id is not null
          union select order_id from return_process where resolution = 'store_credit' and credit_memo_id is not null
        ) m cross join lateral store_credit_promised(m.order_id) s
      ) w on w.order_id = p.order_id
      where p.amount is distinct from w.amount or p.currency_code is distinct from w.currency_code`,
  },
];

/** Wallets, compared with the sum of their entries. */
export const storeCreditInvariants: readonly Invariant[] = [
  {
    id: 'I-22',
    sentence: 'No wallet has a negative balance.',
    needsQuiet: false,
    sql: `
      select wallet_id, customer_id, website_id, amount from store_credit_wallet where not (amount between 0 and 1e15)`,
  },
  {
    id: 'I-23',
    sentence: 'A wallet holds what its entries add up to.',
    needsQuiet: false,
    sql: `
      select w.wallet_id, w.customer_id, w.website_id, w.amount, coalesce(sum(e.delta), 0) as entries
      from store_credit_wallet w left join store_credit_entry e on e.wallet_id = w.wallet_id
      group by w.wallet_id having w.amount <> coalesce(sum(e.delta), 0)`,
  },
  {
    id: 'I-23b',
    sentence: 'Each entry of a wallet says what was in it then: the running sum.',
    needsQuiet: false,
    sql: `
      select entry_id, wallet_id, delta, balance_after, running_sum
      from (
        select entry_id, wallet_id, delta, balance_after,
               sum(delta) over (partition by wallet_id order by entry_id) as running_sum
        from store_credit_entry
      ) e
      where balance_after <> running_sum`,
  },
  {
    id: 'I-24',
    sentence: 'An idempotency key of a wallet is good for one entry per kind.',
    needsQuiet: false,
    sql: `
      select wallet_id, event_type, idempotency_key, booking_key, count(*) as entries
      from store_credit_entry where num_nonnulls(idempotency_key, booking_key) > 0
      group by wallet_id, event_type, idempotency_key, booking_key having count(*) > 1`,
  },
];

interface Ledger {
  letter: string;
  /** The word for one of them, in sentences. */
  one: string;
  account: string;
  entry: string;
  id: string;
}

const ledgers: readonly Ledger[] = [
  { letter: 'K', one: 'gift card', account: 'gift_card', entry: 'gift_card_entry', id: 'card_id' },
  {
    letter: 'B',
    one: 'points account',
    account: 'reward_points_account',
    entry: 'reward_points_entry',
    id: 'account_id',
  },
];

const ledgerInvariants = ({ letter, one, account, entry, id }: Ledger): readonly Invariant[] => [
  {
    id: `${letter}-01`,
    sentence: `No ${one} has a negative balance.`,
    needsQuiet: false,
    sql: `select ${id}, website_id, balance from ${account} where not (balance between 0 and 1e15)`,
  },
  {
    id: `${letter}-02`,
    sentence: `The balance of a ${one} is what its entries add up to.`,
    needsQuiet: false,
    sql: `
      select a.${id}, a.website_id, a.balance, coalesce(sum(e.delta), 0) as entries
      from ${account} a left join ${entry} e on e.${id} = a.${id}
      group by a.${id} having a.balance <> coalesce(sum(e.delta), 0)`,
  },
  {
    id: `${letter}-03`,
    sentence: `Each entry of a ${one} says what was there then: the running sum.`,
    needsQuiet: false,
    sql: `
      select entry_id, ${id}, delta, balance_after, running_sum
      from (
        select entry_id, ${id}, delta, balance_after, sum(delta) over (partition by ${id}
          order by entry_id) as running_sum
        from ${entry}
      ) e
      where balance_after <> running_sum`,
  },
];

/** Gift cards, points, and refunds to credit. Codes of gift cards are never shown. */
export const creditStoreInvariants: readonly Invariant[] = [
  ...ledgers.flatMap(ledgerInvariants),
  {
    id: 'K-04',
    sentence: 'Money that a refund put on a gift card could be spent: the card was neither expired nor disabled then.',
    needsQuiet: false,
    sql: `
      select e.entry_id, e.card_id, e.kind, e.delta, e.order_id, e.created_at, c.balance, c.expires_at, c.disabled_at
      from gift_card_entry e join gift_card c on c.card_id = e.card_id
      where e.kind in ('returned', 'refunded') and c.balance > 0
        and (c.expires_at <= e.created_at or c.disabled_at <= e.created_at)`,
  },
  {
    id: 'I-13',
    sentence: 'What came back of an order as credit is at most what its credit memos refunded, reservations included.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_refunded, c.refunds, l.legs,
        o.base_total_refunded, c.base_refunds, l.base_legs
      from sales_order o
      join (
        select order_id, sum(amount) as refunds, sum(base_amount) as base_refunds
        from credit_refund where state <> 'failed' group by order_id
      ) c on c.order_id = o.entity_id
      left join (
        select c.order_id, sum(r.amount) as legs, sum(r.base_amount) as base_legs
        from order_credit_return r join order_credit c on c.credit_id = r.credit_id
        where c.applies_as = 'tender' and r.credit_memo_id is not null group by c.order_id
      ) l on l.order_id = o.entity_id
      where ${isMore('c.refunds + coalesce(l.legs, 0)', 'o.total_refunded')}
         or ${isMore('c.base_refunds + coalesce(l.base_legs, 0)', 'o.base_total_refunded')}`,
  },
  {
    id: 'I-13d',
    sentence:
      'What was issued as credit and what a tender gave back are together no more than the credit memos handed back.',
    needsQuiet: false,
    sql: `
      select c.order_id, m.handed_back, m.by_tender, c.credited, m.base_handed_back, m.base_by_tender, c.base_credited
      from (
        select order_id, sum(amount) as credited, sum(base_amount) as base_credited
        from credit_refund where state <> 'failed' group by order_id
      ) c
      join sales_order o on o.entity_id = c.order_id
      left join (
        select h.order_id, sum(h.amount) as handed_back, sum(h.base_amount) as base_handed_back,
               coalesce(sum(h.amount) filter (where h.is_by_tender), 0) as by_tender,
               coalesce(sum(h.base_amount) filter (where h.is_by_tender), 0) as base_by_tender
        from (
          select d.order_id, d.grand_total - coalesce(l.legs, 0) as amount,
                 d.base_grand_total - coalesce(l.base_legs, 0) as base_amount,
                 d.is_online
                 or exists (select from refund_attempt a where a.credit_memo_id = d.entity_id)
                 or exists (select from layaway_cancellation y where y.credit_memo_id = d.entity_id)
                 or exists (select from sale_return r
                     where r.credit_memo_id = d.entity_id and r.refund_method is distinct from 'store_credit')
                 or exists (select from return_process p
                     where p.credit_memo_id = d.entity_id and p.return_id is null and p.resolution <> 'store_credit')
                 or (d.transaction_id is not null
                     and not exists (select from sale_return r where r.credit_memo_id = d.entity_id)) as is_by_tender
          from sales_creditmemo d
          left join (
            select r.credit_memo_id, sum(r.amount) as legs, sum(r.base_amount) as base_legs
            from order_credit_return r join order_credit o on o.credit_id = r.credit_id
            where o.applies_as = 'tender' group by r.credit_memo_id
          ) l on l.credit_memo_id = d.entity_id
          where d.state <> 3 and d.figures_from <> 'save'
        ) h group by h.order_id
      ) m on m.order_id = c.order_id
      where ${isMore('coalesce(m.by_tender, 0) + c.credited', 'coalesce(m.handed_back, 0)')}
         or ${isMore('coalesce(m.base_by_tender, 0) + c.base_credited', 'coalesce(m.base_handed_back, 0)')}`,
  },
  {
    id: 'I-13b',
    sentence: 'A refund to credit is concluded within ten minutes.',
    needsQuiet: true,
    sql: `
      select refund_id, order_id, kind, provider_code, amount, created_at from credit_refund
      where state = 'reserved' and created_at < now() - interval '10 minutes'`,
  },
  {
    id: 'I-13c',
    sentence: 'A refund booked to our own gift cards or points is in their ledger.',
    needsQuiet: false,
    sql: `
      select r.refund_id, r.order_id, r.kind, r.amount
      from credit_refund r
      where r.state = 'booked' and r.provider_code in ('gift_card', 'reward_points', 'store_credit')
        and not exists (select from gift_card_entry e where e.key = concat_ws('-', 'refunded:credit-refund',
          r.refund_id, r.name_tail))
        and not exists (select from reward_points_entry e where e.key = concat_ws('-', 'refunded:credit-refund',
          r.refund_id, r.name_tail))
        and not exists (select from store_credit_entry e
          where e.booking_key = concat_ws('-', 'credit-refund', r.refund_id, r.name_tail) and e.event_type = 1
            and e.delta = r.base_amount)`,
  },
  {
    id: 'B-04',
    sentence: 'An order earns points once, and no more of them are voided than it earned.',
    needsQuiet: false,
    sql: `
      select order_id, count(*) filter (where kind = 'earned') as times,
             sum(delta) filter (where kind in ('earned', 'voided')) as left_of_them
      from reward_points_entry where order_id is not null and kind in ('earned', 'voided')
      group by order_id
      having count(*) filter (where kind = 'earned') <> 1 or sum(delta) < 0`,
  },
  {
    id: 'B-06',
    sentence: 'Points are owed only by an account without any, and no order owes more than it earned.',
    needsQuiet: false,
    sql: `
      select w.order_id, w.account_id, w.points, a.balance, coalesce(e.left_of_them, 0) as left_of_them
      from reward_points_owed w join reward_points_account a on a.account_id = w.account_id
      left join (
        select order_id, sum(delta) as left_of_them from reward_points_entry where kind in ('earned', 'voided')
        group by order_id
      ) e on e.order_id = w.order_id
      where a.balance > 0 or w.points > coalesce(e.left_of_them, 0)`,
  },
  {
    id: 'B-05',
    sentence: 'Points of a paid order are worked out within ten minutes.',
    needsQuiet: true,
    sql: `select order_id, created_at from reward_points_due where created_at < now() - interval '10 minutes'`,
  },
];
