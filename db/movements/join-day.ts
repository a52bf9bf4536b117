import type { EntityManager } from '@mikro-orm/postgresql';
import { definite, integers, orNull, text, type Kind } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import type { OfDay } from './read-day.ts';

/**
 * Joins a day's sales with its payments. Sales come from orders and memos, payments from movements:
 *
 *     net sales + tax + shipping + fees + deposits − credit redeemed − due + incidents
 *       − orders without receipt + receipts without order = payments
 *
 * An order counts on the day of its receipt; without one, on the day it was placed. A layaway counts on the day of its
 * last payment; until then its payments are deposits.
 */
const terms = ['net_sales', 'tax', 'shipping', 'fees', 'deposits', 'credit', 'due', 'incidents'] as const;
const lateTerms = ['without_receipt', 'without_order', 'payments'] as const;
export type DayTerm = (typeof terms)[number] | (typeof lateTerms)[number];

/** Credit and the exchange of goods are no payment: nothing of them is in a drawer or at a processor. */
const noPayment = `('store_credit', 'gift_card', 'reward_points', 'exchange')`;

/** What the office receives, by bank or on account: no drawer holds it. */
const ofOffice = `('banktransfer', 'purchaseorder')`;

/** Layaways whose payments are deposits still, or again. */
const isDeposit = `o.pos_layaway_status in ('open', 'stale', 'cancelled')`;

const common = `
  zones as materialized (
    select location_id, pos_zone_of(location_id) as zone from pos_location union all select null, pos_zone_of(null)
  ), moved as materialized (
    select m.* from pos_movement m
    where m.business_day = $day::text::date
      and ($locationIds::bigint[] is null or m.location_id = any($locationIds::bigint[]))
  ), receipts as materialized (
    select r.receipt_id, r.location_id, r.sale_type, r.layaway_kind, r.grand_total, r.currency, r.pos_order_id,
      r.order_increment_id, r.payment_method, pos_order_of(r.pos_order_id, r.order_increment_id) as order_id
    from pos_receipt r left join zones z on z.location_id is not distinct from r.location_id
    where r.created_at >= $day::text::date - interval '15 hours' and r.created_at < $day::text::date + interval '39 hours'
      and (r.created_at at time zone coalesce(z.zone, pos_zone_of(null)))::date = $day::text::date
      and ($locationIds::bigint[] is null or r.location_id = any($locationIds::bigint[]))
  ), bare as materialized (
    select o.entity_id from sales_order o, zones z
    where z.location_id is null and $locationIds::bigint[] is null
      and o.created_at >= $day::text::date - interval '15 hours' and o.created_at < $day::text::date + interval '39 hours'
      and (o.created_at at time zone z.zone)::date = $day::text::date and o.state <> 'canceled'
      and o.pos_layaway_status is null
      and not exists (select from pos_receipt r where r.pos_order_id = o.pos_sale_id)
      and not exists (select from pos_receipt r where r.order_increment_id = o.increment_id)
  ), completed as (
    select o.entity_id as order_id, o.total_paid from sales_order o
    where o.entity_id in (select order_id from moved where source = 'money_in') and o.pos_layaway_status is not null
      and not ${isDeposit}
      and $day::text::date = (select max(m.business_day) from pos_movement m
        where m.order_id = o.entity_id and m.source in ('money_in', 'order_credit'))
  ), sold as materialized (
    select order_id, false as is_bare from (select distinct order_id from receipts
      where order_id is not null and sale_type is distinct from 'refund' and layaway_kind is null) r
    where not exists (select from sales_order o where o.entity_id = r.order_id and o.pos_layaway_status is not null)
    union all select order_id, false from completed
    union all select entity_id, true from bare
  )`;

/** What of an order stayed due with its sale: also what an invoice brought in later. */
const dueOf = `(pos_due_at_sale(o.entity_id) + coalesce((select sum(m.amount) from pos_movement m
  join sales_money_in i on i.money_in_id = m.source_id
  where m.source = 'money_in' and m.order_id = o.entity_id and i.kind = 'invoice'), 0))`;

const join = sql('join-day.join', {
  takes: { locationIds: orNull(integers) },
  gives: { term: definite(text as Kind<DayTerm>) },
})`
  with ${common}, orders as (
    select o.*, s.is_bare, ${dueOf} as due from sold s join sales_order o on o.entity_id = s.order_id
  ), memos as (
    select m.* from sales_creditmemo m join sales_order o on o.entity_id = m.order_id
    where m.entity_id in (select source_id from moved where source = 'memo') and ${isDeposit} is not true
  ), facts as (
    select order_currency_code as currency, 'net_sales' as term, grand_total - tax_amount - shipping_amount as amount
    from orders
    union all select order_currency_code, 'tax', tax_amount from orders
    union all select order_currency_code, 'shipping', shipping_amount from orders
    union all select order_currency_code, 'due', -due from orders where pos_layaway_status is null
    union all select order_currency_code, 'without_receipt', -(grand_total - due - coalesce((select sum(c.amount)
      from order_credit c where c.order_id = entity_id and c.applies_as = 'tender'), 0)) from orders where is_bare
    union all select o.order_currency_code, 'net_sales', -(m.grand_total - m.tax_amount - m.shipping_amount
      - m.adjustment_positive + m.adjustment_negative) from memos m join sales_order o on o.entity_id = m.order_id
    union all select o.order_currency_code, 'tax', -m.tax_amount
    from memos m join sales_order o on o.entity_id = m.order_id
    union all select o.order_currency_code, 'shipping', -m.shipping_amount
    from memos m join sales_order o on o.entity_id = m.order_id
    union all select o.order_currency_code, 'fees', m.adjustment_negative - m.adjustment_positive
    from memos m join sales_order o on o.entity_id = m.order_id
    union all select o.order_currency_code, 'deposits', -o.total_paid
    from completed c join sales_order o on o.entity_id = c.order_id
    union all select v.currency, 'deposits', case when v.kind = 'credit_issued' then -v.amount else v.amount end
    from moved v join sales_order o on o.entity_id = v.order_id
    where o.pos_layaway_status is not null and (v.source in ('money_in', 'order_credit', 'cancellation')
      or (v.source in ('memo', 'credit_return') and ${isDeposit}))
    union all select currency, 'credit', case kind when 'credit_redeemed' then -amount else amount end
    from moved where kind in ('credit_redeemed', 'credit_issued')
    union all select v.currency, 'due', v.amount from moved v join sales_order o on o.entity_id = v.order_id
    where v.kind = 'payment' and o.pos_layaway_status is null
    union all select currency, 'incidents', amount from moved where source = 'incident'
    union all select currency, 'without_order', amount from moved where source = 'receipt' and order_id is null
    union all select currency, 'payments', amount from moved
    where kind in ('sale', 'deposit', 'payment', 'refund') and tender not in ${noPayment}
  )
  select upper(currency) as currency, term, sum(amount) as amount from facts group by 1, 2 order by 1, 2`;

/** The terms of a day, by currency. A term without a row is zero. */
export const joinDay = (em: EntityManager, request: OfDay): Promise<RowFrom<typeof join>[]> => join.all(em, request);

export const dayDifferenceKinds = [
  ...(['unassigned', 'order_without_receipt', 'receipt_without_order'] as const),
  ...(['receipt_without_document', 'tenders'] as const),
] as const;
export type DayDifferenceKind = (typeof dayDifferenceKinds)[number];

const differences = sql('join-day.differences', {
  takes: { locationIds: orNull(integers) },
  gives: { kind: definite(text as Kind<DayDifferenceKind>) },
})`
  with ${common}, listed as (
    select 'unassigned' as kind, v.location_id, coalesce(o.increment_id, v.source || ' ' || v.source_id) as document,
      v.currency, v.amount
    from moved v left join sales_order o on o.entity_id = v.order_id
    where v.terminal_id is null and v.amount <> 0 and v.kind in ('sale', 'deposit', 'payment', 'refund')
      and v.tender not in ${ofOffice}
    union all
    select 'order_without_receipt', null, o.increment_id, o.order_currency_code, o.grand_total
    from bare b join sales_order o using (entity_id) where o.pos_sale_id is not null
    union all
    select 'receipt_without_order', v.location_id, 'receipt ' || v.source_id, v.currency, v.amount
    from moved v where v.source = 'receipt' and v.order_id is null
    union all
    select 'receipt_without_document', r.location_id, 'receipt ' || r.receipt_id,
      coalesce(r.currency, '?'), coalesce(r.grand_total, 0)
    from receipts r join pos_receipt p using (receipt_id)
    where (r.layaway_kind is not null or r.sale_type = 'refund')
      and coalesce(p.layaway_amount_captured, p.grand_total, 0) <> 0
      and not exists (select from pos_movement m where m.receipt_id = r.receipt_id)
      and not exists (select from pos_movement m where (m.order_id = coalesce(r.order_id,
          pos_order_of(null, p.original_order_increment_id)) or m.credit_memo_id = coalesce(p.credit_memo_id,
          (select t.credit_memo_id from sale_return t where t.return_id = p.rma_id)))
        and pos_names_movement(p.receipt_id, m.movement_id))
    union all
    select 'tenders', r.location_id, coalesce(o.increment_id, 'receipt ' || r.receipt_id), v.currency, v.amount
    from receipts r join pos_receipt p using (receipt_id) join pos_movement v on v.receipt_id = r.receipt_id
    left join sales_order o on o.entity_id = v.order_id
    where r.layaway_kind is not null and v.source = 'money_in' and p.layaway_amount_captured <> v.amount
    union all
    select 'tenders', r.location_id, o.increment_id, o.order_currency_code, coalesce(p.amount, 0)
    from receipts r join sales_order o on o.entity_id = r.order_id
    left join lateral (select sum(m.amount) as amount from pos_movement m
      where m.source = 'receipt' and m.source_id = r.receipt_id) p on true
    where r.sale_type is null and r.layaway_kind is null and o.pos_layaway_status is null
      and coalesce(p.amount, 0) <> in_coins(o.grand_total - ${dueOf} - coalesce((select sum(c.amount)
        from order_credit c where c.order_id = o.entity_id and c.applies_as = 'tender'), 0), o.order_currency_code)
  )
  select d.kind, l.name as shop, d.document, upper(d.currency) as currency, d.amount
  from listed d left join pos_location l on l.location_id = d.location_id
  order by d.kind, l.name nulls last, d.document limit 50`;

export type DayDifference = RowFrom<typeof differences>;

/**
 * Documents of a day whose money is not assigned, or does not match its order. At most 50. A receipt over nothing has
 * no document, and a second receipt of one payment or refund is a copy: neither is listed.
 */
export const findDayDifferences = (em: EntityManager, request: OfDay): Promise<DayDifference[]> =>
  differences.all(em, request);
