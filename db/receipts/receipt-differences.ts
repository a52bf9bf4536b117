import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/**
 * `kind` is `total` where the receipt and the order of a sale have different totals or currencies, and `finer` where a
 * receipt or an order has a total finer than the coin of its currency.
 */
export type ReceiptDifference = RowFrom<typeof selectDifferences>;

/**
 * Lists sales of the last days whose amounts were stored as they were sent and do not agree: receipt and order differ,
 * or a total is finer than the coin of its currency. The newest come first; each row has the total count.
 *
 * A layaway's receipts are for its payments, and those of a refund or an exchange are for another sum than one order:
 * their totals are compared with no order.
 *
 * @param limit the most rows that are read
 */
export const findReceiptDifferences = (
  em: EntityManager,
  { days, limit }: { days: number; limit: number },
): Promise<ReceiptDifference[]> => selectDifferences.all(em, { days, limit });

const isFiner = (figure: string, currency: string) =>
  `(${figure} is not null and ${currency} is not null and ${figure} <> in_coins(${figure}, ${currency}))`;

/** Receipts `r` and orders `o` of these days. */
const differing = `
  select 'total' as kind, r.receipt_id, o.entity_id as order_id, o.increment_id, r.pos_order_id, r.grand_total,
    r.currency, o.grand_total as order_total, o.order_currency_code as order_currency, r.created_at
  from pos_receipt r join sales_order o on o.pos_sale_id = r.pos_order_id
  where r.created_at > now() - make_interval(days => $days) and r.sale_type is null and r.layaway_kind is null
    and r.grand_total is not null
    and (r.grand_total <> o.grand_total or r.currency <> o.order_currency_code)
  union all
  select 'finer', r.receipt_id, null, r.order_increment_id, r.pos_order_id, r.grand_total, r.currency, null, null,
    r.created_at
  from pos_receipt r
  where r.created_at > now() - make_interval(days => $days)
    and (${isFiner('r.grand_total', 'r.currency')} or ${isFiner('r.amount_tendered', 'r.currency')}
      or ${isFiner('r.change_due', 'r.currency')})
  union all
  select 'finer', null, o.entity_id, o.increment_id, o.pos_sale_id, null, null, o.grand_total, o.order_currency_code,
    o.created_at
  from sales_order o
  where o.created_at > now() - make_interval(days => $days)
    and (${isFiner('o.grand_total', 'o.order_currency_code')} or ${isFiner('o.total_paid', 'o.order_currency_code')})`;

const selectDifferences = sql('receipt-differences.selectDifferences')`
  select d.kind, d.receipt_id, d.order_id, d.increment_id as order_number, d.pos_order_id as sale_id,
    d.grand_total as receipt_total, d.currency as receipt_currency, d.order_total, d.order_currency,
    d.created_at as at, count(*) over () as total
  from (${differing}) d
  order by d.created_at desc, d.kind, d.receipt_id, d.order_id limit $limit`;
