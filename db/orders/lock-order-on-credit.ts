import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import { money } from '../../domain/money/amount.ts';
import type { OrderOnCredit } from '../../domain/orders/due-payment.ts';
import type { OrderState } from '../../domain/platform/order-state.ts';
import { standInLine } from '../support/connections/stand-in-line.ts';
import { query } from '../support/query.ts';

/** An order nobody else can change until this transaction ends, as far as its credit due is concerned. */
export interface LockedOrderOnCredit extends OrderOnCredit {
  orderId: number;
  incrementId: string;
  status: string;
  paymentMethod: string | null;
}

interface OrderRow {
  entity_id: number;
  increment_id: string;
  state: OrderState;
  status: string;
  order_currency_code: string;
  base_currency_code: string;
  method: string | null;
  grand_total: string;
  base_grand_total: string;
  total_paid: string;
  base_total_paid: string;
  pos_credit_due: string | null;
  pos_layaway_status: string | null;
}

/** Nobody changes an order's method of payment without the order's lock. */
const lockText = `
select o.entity_id, o.increment_id, o.state, o.status, o.order_currency_code, o.base_currency_code, o.grand_total, o.base_grand_total, o.total_paid,
  o.base_total_paid, o.pos_credit_due, o.pos_layaway_status, p.method
from sales_order o left join sales_order_payment p on p.order_id = o.entity_id
where o.entity_id = $1 for update of o`;

/** Locks an order and reads it, in one round trip. Refused with: 404 unknown order. */
export async function lockOrderOnCredit(em: EntityManager, orderId: number): Promise<LockedOrderOnCredit> {
  const [row] = await standInLine(em, `order ${orderId}`, () => query<OrderRow>(em, lockText, [orderId]));
  if (!row) throw noSuchDocument();
  return {
    orderId: row.entity_id,
    incrementId: row.increment_id,
    state: row.state,
    status: row.status,
    orderCurrencyCode: row.order_currency_code,
    baseCurrencyCode: row.base_currency_code,
    paymentMethod: row.method,
    grandTotal: money(row.grand_total),
    baseGrandTotal: money(row.base_grand_total),
    totalPaid: money(row.total_paid),
    baseTotalPaid: money(row.base_total_paid),
    posLayawayStatus: row.pos_layaway_status,
    creditDue: row.pos_credit_due === null ? null : money(row.pos_credit_due),
  };
}
