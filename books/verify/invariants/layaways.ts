import { isMore, isOther, type Invariant } from '../invariant.ts';

/** Long enough for the hourly sweep to have run. */
const sweepIsDue = `interval '2 hours'`;

/** What the goods of an order `o` are worth that did not come back. */
const goodsOut = `greatest(0, o.grand_total - o.total_refunded + o.adjustment_positive - o.adjustment_negative)`;

/** Layaways and credit due. */
export const layawayInvariants: readonly Invariant[] = [
  {
    id: 'I-04c',
    sentence: 'A layaway that is still to be paid says it owes what its order owes.',
    needsQuiet: false,
    sql: `
      select entity_id as order_id, increment_id, pos_layaway_status, pos_layaway_balance_owed, total_due
      from sales_order
      where pos_layaway_status in ('open', 'stale', 'ready_to_settle') and state = 'pending_payment'
        and in_coins(pos_layaway_balance_owed, order_currency_code) is distinct from total_due`,
  },
  {
    id: 'I-14',
    sentence:
      'Credit that is due is not below zero; with what was collected and what memos took off it is what was due ' +
      'at first.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.pos_credit_due, d.collected, d.due_at_first
      from sales_order o
      left join (
        select order_id, sum(amount) as collected, max(due_before) as due_at_first from due_payment group by order_id
      ) d on d.order_id = o.entity_id
      where not (o.pos_credit_due between 0 and 1e15)
         or not (d.due_at_first - d.collected - coalesce(o.pos_credit_due, 0) between 0 and o.adjustment_negative)`,
  },
  {
    id: 'I-14c',
    sentence: 'No credit is due for goods that came back.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.pos_credit_due, o.total_due, o.grand_total, o.total_refunded,
        o.adjustment_positive, o.adjustment_negative
      from sales_order o
      where o.state not in ('closed', 'canceled') and o.adjustment_negative > 0
        and ${isMore('least(o.pos_credit_due, o.total_due)', goodsOut)}`,
  },
  {
    id: 'I-14d',
    sentence:
      'What is due can still be collected: goods that came back before they were paid, and pieces that were ' +
      'cancelled, are owed no longer; all else is.',
    needsQuiet: false,
    // The money of each memo's time is that of the payments and memos before it. Money that went back without a memo
    // has no time here.
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_due, o.due_taken_off, b.taken_off
      from sales_order o
      cross join lateral (
        select coalesce(sum(least(m.adjustment_negative, greatest(0,
          m.grand_total + m.adjustment_negative - m.adjustment_positive - p.paid + e.refunded))), 0) as taken_off
        from sales_creditmemo m
        cross join lateral (
          select coalesce(sum(i.amount), 0) as paid from sales_money_in i
          where i.order_id = m.order_id and i.created_at < m.created_at
        ) p
        cross join lateral (
          select coalesce(sum(e.grand_total), 0) as refunded from sales_creditmemo e
          where e.order_id = m.order_id and e.entity_id < m.entity_id
        ) e
        where m.order_id = o.entity_id
      ) b
      where o.total_paid < o.grand_total and o.state not in ('canceled', 'closed') and o.pos_layaway_status is null
        and o.returned_without_memo = 0 and o.total_canceled = 0
        and (o.due_taken_off <> 0 or o.adjustment_negative <> 0)
        and ${isOther('o.due_taken_off', 'b.taken_off')}`,
  },
  {
    id: 'I-14b',
    sentence: 'Each payment of credit due is money in, and answered with what was booked.',
    needsQuiet: false,
    sql: `
      select coalesce(d.order_id, m.order_id) as order_id, coalesce(d.reference, m.reference) as reference,
             d.amount as answered, m.amount as booked
      from due_payment d
      full join (select * from sales_money_in where kind = 'credit_due') m on m.money_in_id = d.money_in_id
      where d.money_in_id is null or m.money_in_id is null
         or (d.order_id, d.reference, d.amount) <> (m.order_id, m.reference, m.amount)`,
  },
  {
    id: 'I-17',
    sentence: 'A cancelled layaway is a cancelled order: no invoice is left, and nothing was paid afterwards.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.state, i.invoices, p.late_payments, c.created_at as cancelled_at
      from sales_order o
      left join layaway_cancellation c on c.order_id = o.entity_id
      cross join lateral (
        select count(*) as invoices from sales_invoice where order_id = o.entity_id and state <> 3
      ) i
      cross join lateral (
        select count(*) as late_payments from sales_money_in where order_id = o.entity_id and created_at > c.created_at
      ) p
      where o.pos_layaway_status = 'cancelled'
        and (i.invoices > 0 or p.late_payments > 0 or (c.order_id is not null and o.state <> 'canceled'))`,
  },
  {
    id: 'I-17b',
    sentence:
      'A cancellation is of a cancelled layaway, has a memo where one was due, and keeps and gives back what was paid.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.pos_layaway_status, o.total_paid, o.total_refunded, c.fee,
             c.credit_memo_id
      from layaway_cancellation c
      join sales_order o on o.entity_id = c.order_id
      left join sales_creditmemo m on m.entity_id = c.credit_memo_id
      where o.pos_layaway_status is distinct from 'cancelled' or m.order_id <> c.order_id
         or (m.entity_id is not null and in_coins(o.total_paid, o.order_currency_code) - o.total_refunded <> c.fee)
         or (m.entity_id is null and o.total_paid > o.total_refunded
             and exists (select from sales_invoice where order_id = o.entity_id))`,
  },
  {
    id: 'I-17c',
    sentence: 'No invoice brought a layaway money: its payments did, and its invoice was paid when nothing was owed.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.pos_layaway_status, m.amount, m.reference, m.created_at
      from sales_order o join sales_money_in m on m.order_id = o.entity_id
      where o.pos_layaway_followed_at is not null and m.kind = 'invoice' and m.created_at > o.pos_layaway_followed_at`,
  },
  {
    id: 'I-17d',
    sentence: 'No goods of a layaway are coming back while its invoice is open.',
    needsQuiet: false,
    sql: `
      select r.return_id, r.status, o.entity_id as order_id, o.increment_id, o.pos_layaway_status
      from sale_return r join sales_order o on o.entity_id = r.order_id
      where o.pos_layaway_status in ('open', 'stale', 'ready_to_settle') and r.created_at > o.pos_layaway_followed_at
        and r.status not in ('rejected', 'denied', 'closed', 'processed_closed', 'resolved')
        and exists (select from sales_invoice i where i.order_id = o.entity_id and i.state = 1)`,
  },
  {
    id: 'W-2',
    sentence:
      'A layaway that can still be paid was taken up by a workflow, two hours after it was placed at the latest.',
    needsQuiet: true,
    sql: `
      select entity_id as order_id, increment_id, pos_layaway_status, created_at
      from sales_order
      where pos_layaway_status in ('open', 'stale') and pos_layaway_followed_at is null and state <> 'canceled'
        and created_at < now() - ${sweepIsDue}`,
  },
  {
    id: 'W-2b',
    sentence: 'No layaway that owes something is open two hours after it expired.',
    needsQuiet: true,
    // A layaway without a balance never expires, whatever its expiry date.
    sql: `
      select entity_id as order_id, increment_id, pos_layaway_expires_at, total_due
      from sales_order
      where pos_layaway_status = 'open' and pos_layaway_expires_at < now() - ${sweepIsDue} and state <> 'canceled'
        and total_due is distinct from 0`,
  },
];
