import type { EntityManager } from '@mikro-orm/postgresql';
import { count, integer, moment } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Receipt } from './receipt.entity.ts';

/** Of a receipt `r`: its sale is no order, or one that nobody knows. A refund places none. */
export const isWithoutOrder = `r.sale_type is distinct from 'refund'
  and not exists (select from sales_order o where o.increment_id = r.order_increment_id)`;

export type ReceiptWithoutOrder = RowFrom<typeof find>;

/**
 * Sales that a register says are complete and that were never placed (spec 4.9), the oldest first, with how many there are.
 *
 * @param limit at most so many are read
 */
export const findReceiptsWithoutOrder = (em: EntityManager, limit: number): Promise<ReceiptWithoutOrder[]> =>
  find.all(em, { limit });

const find = statement({
  takes: { limit: integer },
  gives: {
    ...of(
      Receipt,
      'receiptId',
      'posOrderId',
      'orderIncrementId',
      'grandTotal',
      'currency',
      'paymentMethod',
      'staffName',
      'terminalName',
      'locationName',
      'layawayKind',
    ),
    storedAt: moment,
    total: count,
  },
  text: `
    select r.receipt_id, r.pos_order_id, r.order_increment_id, r.grand_total, r.currency, r.payment_method, r.staff_name,
      r.terminal_name, r.location_name, r.layaway_kind, r.updated_at as stored_at, count(*) over () as total
    from pos_receipt r where ${isWithoutOrder} order by r.receipt_id limit $limit`,
});
