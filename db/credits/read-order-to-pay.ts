import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import type { OrderToPay } from '../../domain/credits/price-credits.ts';
import { money } from '../../domain/money/amount.ts';
import { query } from '../support/query.ts';

/** An order that was just written, as far as paying it with credit needs it. */
export interface OrderToPayRow extends OrderToPay {
  orderId: number;
  incrementId: string;
  status: string;
  customerId: number | null;
  isGuest: boolean;
  storeId: number;
  websiteId: number;
  baseCurrencyCode: string;
  orderCurrencyCode: string;
}

interface Row {
  increment_id: string;
  status: string;
  customer_id: number | null;
  customer_is_guest: boolean;
  store_id: number;
  website_id: number;
  base_currency_code: string;
  order_currency_code: string;
  base_to_order_rate: string;
  grand_total: string;
  base_grand_total: string;
  total_paid: string;
  base_total_paid: string;
}

const text = `
select o.increment_id, o.status, o.customer_id, o.customer_is_guest, o.store_id, v.website_id,
  o.base_currency_code, o.order_currency_code, o.base_to_order_rate, o.grand_total, o.base_grand_total, o.total_paid, o.base_total_paid
from sales_order o join store_view v on v.store_id = o.store_id where o.entity_id = $1`;

/** Read in the transaction that wrote the order: nobody else sees it yet. */
export async function readOrderToPay(em: EntityManager, orderId: number): Promise<OrderToPayRow> {
  const [row] = await query<Row>(em, text, [orderId]);
  if (!row) throw noSuchDocument();
  return {
    orderId,
    incrementId: row.increment_id,
    status: row.status,
    customerId: row.customer_id,
    isGuest: row.customer_is_guest,
    storeId: row.store_id,
    websiteId: row.website_id,
    baseCurrencyCode: row.base_currency_code,
    orderCurrencyCode: row.order_currency_code,
    baseToOrderRate: row.base_to_order_rate,
    grandTotal: money(row.grand_total),
    baseGrandTotal: money(row.base_grand_total),
    totalPaid: money(row.total_paid),
    baseTotalPaid: money(row.base_total_paid),
  };
}
