import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import { layawayStatusOf, type LayawayStatus } from '../../domain/layaways/layaway-status.ts';
import { money } from '../../domain/money/amount.ts';
import type { OrderMoney } from '../../domain/orders/take-money.ts';
import type { OrderState } from '../../domain/platform/order-state.ts';
import { standInLine } from '../support/connections/stand-in-line.ts';
import { query } from '../support/query.ts';

/** An order as layaways see it. */
export interface Layaway extends OrderMoney {
  orderId: number;
  incrementId: string;
  state: OrderState;
  orderStatus: string;
  /** Null: the order is no layaway. */
  status: LayawayStatus | null;
}

interface LayawayRow {
  entity_id: number;
  increment_id: string;
  state: OrderState;
  status: string;
  pos_layaway_status: string | null;
  order_currency_code: string;
  base_currency_code: string;
  grand_total: string;
  base_grand_total: string;
  total_paid: string;
  base_total_paid: string;
}

const lockText = `
select o.entity_id, o.increment_id, o.state, o.status, o.pos_layaway_status, o.order_currency_code, o.base_currency_code,
  o.grand_total, o.base_grand_total, o.total_paid, o.base_total_paid
from sales_order o where o.entity_id = $1 for update`;

/**
 * Locks an order and reads what a payment of a layaway needs of it, in one round trip. The first lock of every money flow.
 *
 * Refused with: 404 unknown order.
 */
export async function lockLayaway(em: EntityManager, orderId: number): Promise<Layaway> {
  const [row] = await standInLine(em, `order ${orderId}`, () => query<LayawayRow>(em, lockText, [orderId]));
  if (!row) throw noSuchDocument();
  return layawayOf(row);
}

function layawayOf(row: LayawayRow): Layaway {
  return {
    orderId: row.entity_id,
    incrementId: row.increment_id,
    state: row.state,
    orderStatus: row.status,
    status: layawayStatusOf(row.pos_layaway_status),
    orderCurrencyCode: row.order_currency_code,
    baseCurrencyCode: row.base_currency_code,
    grandTotal: money(row.grand_total),
    totalPaid: money(row.total_paid),
    baseGrandTotal: money(row.base_grand_total),
    baseTotalPaid: money(row.base_total_paid),
  };
}
