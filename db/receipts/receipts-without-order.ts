import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** Holds for a receipt `r` that is linked to no known order. A refund places no order, so it is left out. */
export const isWithoutOrder = `r.sale_type is distinct from 'refund'
  and not exists (select from sales_order o where o.increment_id = r.order_increment_id)`;

export type ReceiptWithoutOrder = RowFrom<typeof selectReceiptsWithoutOrder>;

/**
 * Finds completed sales that have a receipt but no order (spec 4.9). The oldest come first; each row has the total
 * count.
 *
 * @param limit the most rows that are read
 */
export const findReceiptsWithoutOrder = (em: EntityManager, limit: number): Promise<ReceiptWithoutOrder[]> =>
  selectReceiptsWithoutOrder.all(em, { limit });

const selectReceiptsWithoutOrder = sql('receipts-without-order.selectReceiptsWithoutOrder')`
  select r.receipt_id, r.pos_order_id, r.order_increment_id, r.grand_total, r.currency, r.payment_method,
    r.staff_name,
    r.terminal_name, r.location_name, r.layaway_kind, r.updated_at as stored_at, count(*) over () as total
  from pos_receipt r where ${isWithoutOrder} order by r.receipt_id limit $limit`;
