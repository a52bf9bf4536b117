import { isMore } from '../in-coins.ts';
import type { Invariant } from '../invariant.ts';

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
        select entry_id, ${id}, delta, balance_after, sum(delta) over (partition by ${id} order by entry_id) as running_sum
        from ${entry}
      ) e
      where balance_after <> running_sum`,
  },
];

/** Gift cards, points, and refunds to credit. Codes of gift cards are never shown. */
export const creditStoreInvariants: readonly Invariant[] = [
  ...ledgers.flatMap(ledgerInvariants),
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
        and not exists (select from gift_card_entry e where e.key = concat_ws('-', 'refunded:credit-refund', r.refund_id, r.name_tail))
        and not exists (select from reward_points_entry e where e.key = concat_ws('-', 'refunded:credit-refund', r.refund_id, r.name_tail))
        and not exists (select from store_credit_entry e
          where e.booking_key = concat_ws('-', 'credit-refund', r.refund_id, r.name_tail) and e.event_type = 1 and e.delta = r.base_amount)`,
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
