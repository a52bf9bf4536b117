import { isWithoutOrder } from '../../../db/receipts/receipts-without-order.ts';
import { skuKeyOf } from '../../../db/support/columns.ts';
import { isMore, type Invariant } from '../invariant.ts';

/** Held carts, receipts, devices. */
export const registerInvariants: readonly Invariant[] = [
  {
    id: 'I-01',
    sentence: 'A held cart exists once, and a recalled one has its person and time.',
    needsQuiet: false,
    sql: `
      select cart_key, count(*) as carts, min(recalled_at) as recalled_at, min(recalled_by_staff_id) as recalled_by_staff_id
      from pos_held_cart group by cart_key
      having count(*) > 1 or (min(recalled_at) is null) <> (min(recalled_by_staff_id) is null)`,
  },
  {
    id: 'I-03',
    sentence: 'A recalled cart was not parked again since, but by its claimant, which frees it.',
    needsQuiet: false,
    sql: `
      select held_cart_id, parked_at, recalled_at, recalled_by_staff_id from pos_held_cart where parked_at > recalled_at`,
  },
  {
    id: 'I-20',
    sentence: 'A register sale has one receipt at most.',
    needsQuiet: false,
    sql: `
      select pos_order_id, count(*) as receipts from pos_receipt group by pos_order_id having count(*) > 1`,
  },
  {
    id: 'I-20b',
    sentence: 'The receipt of a sale carries the number of an order of that sale, once there is one.',
    needsQuiet: true,
    sql: `
      select r.receipt_id, r.pos_order_id, r.order_increment_id, min(o.increment_id) as order_of_sale
      from pos_receipt r join sales_order o on o.pos_sale_id = r.pos_order_id
      group by r.receipt_id, r.pos_order_id, r.order_increment_id
      having not coalesce(bool_or(o.increment_id = r.order_increment_id), false)`,
  },
  {
    id: 'I-20c',
    sentence: 'A register sale is one order at most.',
    needsQuiet: false,
    sql: `
      select pos_sale_id, count(*) as orders, min(entity_id) as first_order, max(entity_id) as last_order
      from sales_order where pos_sale_id is not null group by pos_sale_id having count(*) > 1`,
  },
  {
    id: 'I-20d',
    sentence: 'A sale whose receipt was stored a week ago is an order.',
    needsQuiet: false,
    sql: `
      select r.receipt_id, r.pos_order_id, r.terminal_id, r.order_increment_id, r.grand_total, r.updated_at
      from pos_receipt r
      where ${isWithoutOrder} and r.updated_at < now() - interval '7 days'
      order by r.receipt_id`,
  },
  {
    id: 'I-21',
    sentence: 'A claimed receipt and its order are the same customer’s.',
    needsQuiet: false,
    sql: `
      select r.receipt_id, r.customer_id, r.claimed_order_id, o.customer_id as order_customer_id
      from pos_receipt r join sales_order o on o.entity_id = r.claimed_order_id
      where o.customer_id is distinct from r.customer_id`,
  },
  {
    id: 'I-26',
    sentence: 'A device is one terminal, and an unused activation code opens one.',
    needsQuiet: false,
    sql: `
      select 'device' as bound_by, count(*) as terminals, min(terminal_id) as first_terminal, max(terminal_id) as last_terminal
      from pos_terminal where device_identifier is not null group by device_identifier having count(*) > 1
      union all
      select 'unused code', count(*), min(terminal_id), max(terminal_id)
      from pos_terminal where activation_used_at is null and activation_code is not null
      group by activation_code having count(*) > 1`,
  },
];

/** Stock at sources, and its reservations. */
export const inventoryInvariants: readonly Invariant[] = [
  {
    id: 'I-19b',
    sentence: 'No source has a negative quantity.',
    needsQuiet: false,
    sql: `
      select sku, source_code, quantity from inventory_source_item where not (quantity between 0 and 1e10)`,
  },
  {
    id: 'Q-01',
    sentence:
      'An order that is finished, with nothing left to hand over, promises no goods: its reservations sum to zero.',
    needsQuiet: true,
    // Virtual goods are not handed over: their reservation ends with their invoice.
    sql: `
      select o.entity_id as order_id, o.increment_id, o.state, r.stock_id, r.sku, sum(r.quantity) as still_reserved
      from inventory_reservation r join sales_order o on o.entity_id = r.order_id
      where o.state in ('complete', 'closed', 'canceled')
        and not exists (
          select from sales_order_item i
          where i.order_id = o.entity_id and i.parent_item_id is null and not i.is_virtual
            and i.qty_ordered > greatest(i.qty_shipped, i.qty_refunded) + i.qty_canceled)
      group by o.entity_id, o.increment_id, o.state, r.stock_id, r.sku
      having sum(r.quantity) <> 0`,
  },
  {
    id: 'Q-02',
    sentence: 'An order never gives back more goods than it had reserved.',
    needsQuiet: false,
    sql: `
      select order_id, stock_id, sku, sum(quantity) as reserved
      from inventory_reservation group by order_id, stock_id, sku having sum(quantity) > 0`,
  },
];

/** A day, as attributes keep it. */
const isDay = (value: string) => `${value} ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])( |$)'`;

/** Goods and their prices. */
export const catalogInvariants: readonly Invariant[] = [
  {
    id: 'U-01',
    sentence: 'No two products have SKUs that differ only in the case or the composition of their letters.',
    needsQuiet: false,
    sql: `
      select ${skuKeyOf('sku')} as sku_key, array_agg(sku order by entity_id) as skus,
        array_agg(entity_id order by entity_id) as product_ids
      from product group by 1 having count(*) > 1`,
  },
  {
    id: 'U-01b',
    sentence: 'A customer has one contract price from a quantity on, however the letters of the SKU are written.',
    needsQuiet: false,
    sql: `
      select customer_id, website_id, qty, array_agg(sku order by contract_price_id) as skus
      from pos_contract_price group by customer_id, website_id, qty, ${skuKeyOf('sku')} having count(*) > 1`,
  },
  {
    id: 'U-02',
    sentence: 'The first and the last day of a special price can be read.',
    needsQuiet: false,
    sql: `
      select p.entity_id as product_id, p.sku, d.key as attribute, d.value
      from product p cross join lateral (
        select p.custom_attributes as attributes
        union all select s.value -> 'customAttributes' from jsonb_each(p.scoped_values) s) a
      cross join lateral jsonb_each_text(case jsonb_typeof(a.attributes) when 'object' then a.attributes else '{}' end) d
      where d.key in ('special_from_date', 'special_to_date') and d.value <> '' and not ${isDay('d.value')}`,
  },
];

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
      'Credit that is due is not below zero; with what was collected and what memos took off it is what was due at first.',
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
    // A layaway without a balance never expires, whatever its expiry date: see `flag-stale.ts`.
    sql: `
      select entity_id as order_id, increment_id, pos_layaway_expires_at, total_due
      from sales_order
      where pos_layaway_status = 'open' and pos_layaway_expires_at < now() - ${sweepIsDue} and state <> 'canceled'
        and total_due is distinct from 0`,
  },
];
