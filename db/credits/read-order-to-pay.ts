import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { flag, integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';

/** The fields of a new order that paying with credit needs. */
export type OrderToPayRow = RowFrom<typeof read>;

/** Read in the transaction that wrote the order: no other transaction sees it yet. */
export async function readOrderToPay(em: EntityManager, orderId: number): Promise<OrderToPayRow> {
  const row = await read.first(em, { orderId });
  if (!row) throw noSuchDocument();
  return row;
}

const read = statement({
  takes: { orderId: integer },
  gives: {
    orderId: integer,
    ...of(Order, 'incrementId', 'status', 'customerId', 'storeId', 'baseCurrencyCode', 'orderCurrencyCode'),
    ...of(Order, 'baseToOrderRate', 'grandTotal', 'baseGrandTotal', 'totalPaid', 'baseTotalPaid'),
    isGuest: flag,
    websiteId: integer,
  },
  text: `
    select o.entity_id as order_id, o.increment_id, o.status, o.customer_id, o.customer_is_guest as is_guest, o.store_id,
      v.website_id, o.base_currency_code, o.order_currency_code, o.base_to_order_rate, o.grand_total,
      o.base_grand_total, o.total_paid, o.base_total_paid
    from sales_order o join store_view v on v.store_id = o.store_id where o.entity_id = $orderId`,
});
