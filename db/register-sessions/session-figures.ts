import type { EntityManager } from '@mikro-orm/postgresql';
import { orNull, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/**
 * What a session moved. Late movements are in no figure of their session: the next closing of the drawer shows them as
 * corrections.
 */
const moved = sql('session-figures.moved')`
  select currency, tender, kind, count(*) as count,
    coalesce(sum(amount) filter (where amount > 0), 0) as money_in,
    coalesce(-sum(amount) filter (where amount < 0), 0) as money_out
  from pos_movement where session_id = $sessionId and not is_late
  group by currency, tender, kind order by currency, tender, kind`;

export type MovedRow = RowFrom<typeof moved>;

/** By tender, currency and kind. */
export const readMoved = (em: EntityManager, sessionId: number): Promise<MovedRow[]> => moved.all(em, { sessionId });

/** The orders that a session sold, and the credit memos that it paid out. */
const documents = `
  sold as (select distinct order_id from pos_movement
    where session_id = $sessionId and not is_late and source = 'receipt' and kind = 'sale' and order_id is not null),
  memos as (select distinct credit_memo_id from pos_movement
    where session_id = $sessionId and not is_late and source = 'memo' and credit_memo_id is not null)`;

const taxes = sql('session-figures.taxes')`
  with ${documents}
  select upper(t.currency) as currency, t.rate, sum(t.tax) as tax from (
    select o.order_currency_code as currency, i.tax_percent as rate, sum(i.tax_amount) as tax
    from sold s join sales_order o on o.entity_id = s.order_id join sales_order_item i on i.order_id = o.entity_id
    group by 1, 2
    union all
    select o.order_currency_code, i.tax_percent, -sum(c.tax_amount)
    from memos m join sales_creditmemo d on d.entity_id = m.credit_memo_id
    join sales_order o on o.entity_id = d.order_id
    join sales_creditmemo_item c on c.parent_id = d.entity_id
    join sales_order_item i on i.item_id = c.order_item_id
    group by 1, 2) t
  group by 1, 2 having sum(t.tax) <> 0 order by 1, 2`;

/** The tax of what was sold less what came back, by rate in percent.. */
export const readTaxes = (em: EntityManager, sessionId: number) => taxes.all(em, { sessionId });

const sums = sql('session-figures.sums')`
  with ${documents}
  select upper(t.currency) as currency, sum(t.discounts) as discounts, sum(t.shipping_tax) as shipping_tax from (
    select o.order_currency_code as currency, -sum(o.discount_amount) as discounts,
      sum(o.shipping_tax_amount) as shipping_tax
    from sold s join sales_order o on o.entity_id = s.order_id group by 1
    union all
    select o.order_currency_code, sum(d.discount_amount), -sum(d.shipping_tax_amount)
    from memos m join sales_creditmemo d on d.entity_id = m.credit_memo_id
    join sales_order o on o.entity_id = d.order_id group by 1) t
  group by 1 order by 1`;

/** Discounts above zero, and the tax of shipping, of what was sold less what came back. */
export const readSums = (em: EntityManager, sessionId: number) => sums.all(em, { sessionId });

const receipts = sql('session-figures.receipts', { gives: { first: orNull(text), last: orNull(text) } })`
  select count(*) as count, (array_agg(r.receipt_number order by r.receipt_id))[1] as first,
    (array_agg(r.receipt_number order by r.receipt_id desc))[1] as last
  from pos_receipt r where r.receipt_id in (
    select receipt_id from pos_movement where session_id = $sessionId and not is_late and receipt_id is not null)`;

/** The numbers of the first and the last receipt, in the order of their arrival. */
export const readReceiptNumbers = (em: EntityManager, sessionId: number) => receipts.first(em, { sessionId });

const late = sql('session-figures.late')`
  select c.number as closing_number, m.currency, m.tender, m.kind, count(*) as count, sum(m.amount) as amount
  from pos_movement m join pos_register_session s on s.session_id = m.session_id
  join lateral (select number from pos_closing where session_id = s.session_id order by number desc limit 1) c on true
  where s.drawer_id = $drawerId and m.is_late
    and (m.closing_id is null or m.closing_id = $replacedId?)
  group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

/** Late movements of a drawer that no closing shows yet, or only the one that is replaced. */
export const readLate = (em: EntityManager, drawer: { drawerId: number; replacedId: number | null }) =>
  late.all(em, drawer);

const show = sql('session-figures.show')`
  update pos_movement m set closing_id = $closingId from pos_register_session s
  where s.session_id = m.session_id and s.drawer_id = $drawerId and m.is_late
    and (m.closing_id is null or m.closing_id = $replacedId?)`;

/** Marks those movements as shown by a closing, in its transaction. */
export const markLate = (
  em: EntityManager,
  shown: { drawerId: number; replacedId: number | null; closingId: number },
): Promise<number> => show.run(em, shown);
