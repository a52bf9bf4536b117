import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import type { CreditKind, CreditUse } from '../../domain/credits/applied-credit.ts';
import { layawayStatusOf, type LayawayStatus } from '../../domain/layaways/layaway-status.ts';
import { money, subtract, type Amount } from '../../domain/money/amount.ts';
import { dueOf } from '../../domain/orders/take-money.ts';
import type { OrderState } from '../../domain/platform/order-state.ts';
import { query } from '../support/query.ts';

/** A credit that came back with the cancellation. */
export interface CancelledLeg {
  kind: CreditKind;
  providerCode: string;
  appliesAs: CreditUse;
  baseAmount: Amount;
  amount: Amount;
  points: number | null;
}

export interface CancelledLayaway {
  fee: Amount;
  refund: Amount;
  refundMethod: string | null;
  creditMemoIncrementId: string | null;
  legs: CancelledLeg[];
  operationKey: string;
}

/** What a register is told of a layaway (spec 2.13). */
export interface LayawaySnapshot {
  orderId: number;
  incrementId: string;
  state: OrderState;
  /** Null: the order is no layaway. */
  status: LayawayStatus | null;
  /** Money alone; credit that was spent is not captured. */
  totalCaptured: Amount;
  balanceOwed: Amount;
  currencyCode: string;
  /** ISO 8601. */
  expiresAt: string | null;
  cancellation: CancelledLayaway | null;
}

interface SnapshotRow {
  entity_id: number;
  increment_id: string;
  state: OrderState;
  pos_layaway_status: string | null;
  grand_total: string;
  total_paid: string;
  order_currency_code: string;
  spent: string;
  expires_at: string | null;
  operation_key: string | null;
  fee: string | null;
  refund: string | null;
  refund_method: string | null;
  memo_increment_id: string | null;
  legs: LegRow[];
}

interface LegRow {
  kind: CreditKind;
  provider_code: string;
  applies_as: CreditUse;
  base_amount: string;
  amount: string;
  points: number | null;
}

const snapshotText = `
select o.entity_id, o.increment_id, o.state, o.pos_layaway_status, o.grand_total, o.total_paid,
  o.order_currency_code, o.pos_layaway_expires_at as expires_at, c.operation_key, c.fee, c.refund, c.refund_method,
  m.increment_id as memo_increment_id,
  (select coalesce(sum(amount), 0) from sales_money_in where order_id = o.entity_id and kind = 'credit') as spent,
  case when c.order_id is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('kind', k.kind, 'provider_code', k.provider_code, 'applies_as', k.applies_as,
      'base_amount', r.base_amount::text, 'amount', r.amount::text, 'points', r.points) order by r.credit_return_id), '[]')
    from order_credit k join order_credit_return r on r.credit_id = k.credit_id
    where k.order_id = o.entity_id and (r.credit_memo_id is null or r.credit_memo_id = c.credit_memo_id)) end as legs
from sales_order o
left join layaway_cancellation c on c.order_id = o.entity_id
left join sales_creditmemo m on m.entity_id = c.credit_memo_id
where o.entity_id = $1`;

/** A layaway as it stands, in one round trip. Refused with: 404 unknown order. */
export async function readLayaway(em: EntityManager, orderId: number): Promise<LayawaySnapshot> {
  const [row] = await query<SnapshotRow>(em, snapshotText, [orderId]);
  if (!row) throw noSuchDocument();
  const status = layawayStatusOf(row.pos_layaway_status);
  const totals = {
    grandTotal: money(row.grand_total),
    totalPaid: money(row.total_paid),
    orderCurrencyCode: row.order_currency_code,
  };
  return {
    orderId: row.entity_id,
    incrementId: row.increment_id,
    state: row.state,
    status,
    totalCaptured: subtract(totals.totalPaid, money(row.spent)),
    balanceOwed: status === 'cancelled' ? money('0') : dueOf(totals),
    currencyCode: row.order_currency_code,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    cancellation: cancellationOf(row),
  };
}

function cancellationOf(row: SnapshotRow): CancelledLayaway | null {
  if (row.operation_key === null || row.fee === null || row.refund === null) return null;
  return {
    operationKey: row.operation_key,
    fee: money(row.fee),
    refund: money(row.refund),
    refundMethod: row.refund_method,
    creditMemoIncrementId: row.memo_increment_id,
    legs: row.legs.map((leg) => ({
      kind: leg.kind,
      providerCode: leg.provider_code,
      appliesAs: leg.applies_as,
      baseAmount: money(leg.base_amount),
      amount: money(leg.amount),
      points: leg.points,
    })),
  };
}
