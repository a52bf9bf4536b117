import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import type { CreditKind, CreditUse } from '../../domain/credits/applied-credit.ts';
import { layawayStatusOf, type LayawayStatus } from '../../domain/layaways/layaway-status.ts';
import { subtract, zero, type Amount } from '../../domain/money/amount.ts';
import { dueOf } from '../../domain/orders/take-money.ts';
import type { OrderState } from '../../domain/platform/order-state.ts';
import { amount, integer, listOf, orNull, surely, text, type Kind } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { layawayParts } from './layaway-parts.ts';

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

/** A layaway in a register's answer (spec 2.13). */
export interface LayawaySnapshot {
  orderId: number;
  incrementId: string;
  state: OrderState;
  /** Null: the order is not a layaway. */
  status: LayawayStatus | null;
  /** Money only; spent credit does not count as captured. */
  totalCaptured: Amount;
  balanceOwed: Amount;
  currencyCode: string;
  /** ISO 8601. */
  expiresAt: string | null;
  cancellation: CancelledLayaway | null;
}

const read = statement({
  takes: { orderId: integer },
  gives: {
    ...layawayParts,
    operationKey: orNull(text),
    fee: orNull(amount),
    refund: orNull(amount),
    refundMethod: orNull(text),
    memoIncrementId: orNull(text),
    spent: surely(amount),
    legs: surely(
      listOf({
        kind: text as Kind<CreditKind>,
        providerCode: text,
        appliesAs: text as Kind<CreditUse>,
        baseAmount: amount,
        amount,
        points: orNull(integer),
      }),
    ),
  },
  text: `
    select o.entity_id, o.increment_id, o.state, o.pos_layaway_status, o.grand_total, o.total_paid,
      o.order_currency_code, o.pos_layaway_expires_at, c.operation_key, c.fee, c.refund, c.refund_method,
      m.increment_id as memo_increment_id,
      (select coalesce(sum(amount), 0) from sales_money_in where order_id = o.entity_id and kind = 'credit') as spent,
      case when c.order_id is null then '[]'::json else (
        select coalesce(json_agg(json_build_object('kind', k.kind, 'providerCode', k.provider_code,
          'appliesAs', k.applies_as, 'baseAmount', r.base_amount::text, 'amount', r.amount::text, 'points', r.points)
          order by r.credit_return_id), '[]')
        from order_credit k join order_credit_return r on r.credit_id = k.credit_id
        where k.order_id = o.entity_id and (r.credit_memo_id is null or r.credit_memo_id = c.credit_memo_id)) end as legs
    from sales_order o
    left join layaway_cancellation c on c.order_id = o.entity_id
    left join sales_creditmemo m on m.entity_id = c.credit_memo_id
    where o.entity_id = $orderId`,
});

/** The present state of a layaway, in one round trip. Refused with: 404 unknown order. */
export async function readLayaway(em: EntityManager, orderId: number): Promise<LayawaySnapshot> {
  const row = await read.first(em, { orderId });
  if (!row) throw noSuchDocument();
  const status = layawayStatusOf(row.posLayawayStatus);
  return {
    orderId: row.entityId,
    incrementId: row.incrementId,
    state: row.state,
    status,
    totalCaptured: subtract(row.totalPaid, row.spent),
    balanceOwed: status === 'cancelled' ? zero : dueOf(row),
    currencyCode: row.orderCurrencyCode,
    expiresAt: row.posLayawayExpiresAt?.toISOString() ?? null,
    cancellation: cancellationOf(row),
  };
}

function cancellationOf(row: RowFrom<typeof read>): CancelledLayaway | null {
  const { operationKey, fee, refund, refundMethod, memoIncrementId: creditMemoIncrementId, legs } = row;
  if (operationKey === null || fee === null || refund === null) return null;
  return { operationKey, fee, refund, refundMethod, creditMemoIncrementId, legs };
}
