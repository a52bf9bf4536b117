import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** A customer's debt on a website, and the limit agreed there; in its base currency. */
export type CreditStanding = RowFrom<typeof selectCreditStanding>;

/**
 * A customer's credit standing (spec 2.18, 4.5); undefined for an unknown customer or website.
 *
 * Open receivables count as used: the amount due on orders with an open invoice, sold on credit (`pos_credit_due`),
 * or payable by invoice without one yet. Of an order that was cancelled in part only its open invoices count, and of a
 * layaway nothing: its goods are in the shop.
 */
export const readCreditStanding = (
  em: EntityManager,
  input: { customerId: number; websiteId: number; payByInvoiceMethod: string },
): Promise<CreditStanding | undefined> => selectCreditStanding.first(em, input);

const selectCreditStanding = sql('read-credit-standing.selectCreditStanding')`
  select c.group_id, w.base_currency_code,
    (select l.credit_limit from customer_credit_limit l
      where l.customer_id = c.id and l.website_id = w.website_id) as own_limit,
    (select coalesce(sum(case
        when coalesce(o.pos_credit_due, 0) > 0
          or (p.method = $payByInvoiceMethod and o.base_total_canceled = 0) then o.base_total_due
        else least(o.base_total_due, (select coalesce(sum(i.base_grand_total), 0) from sales_invoice i
          where i.order_id = o.entity_id and i.state = 1)) end), 0)
      from sales_order o join store_view v on v.store_id = o.store_id
        left join sales_order_payment p on p.order_id = o.entity_id
      where o.customer_id = c.id and o.base_total_due > 0 and o.state not in ('canceled', 'closed')
        and o.pos_layaway_status is null and v.website_id = w.website_id) as used
  from customer c join website w on w.website_id = $websiteId
  where c.id = $customerId`;
