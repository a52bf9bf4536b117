import type { EntityManager } from '@mikro-orm/postgresql';
import { amount as toAmount, zero, type Amount } from '../../domain/money/amount.ts';
import type { OrderRow } from '../platform/orders/lock-order.ts';
import { amount, count, integer, surely } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** What gateway refunds under way have promised: their memos' totals, and the goods of those memos. */
export interface PendingRefunds {
  /** In the order's currency; the base is the order's own `basePendingRefund`. */
  refund: Amount;
  /** Rows ex tax, in the base currency. */
  baseGoods: Amount;
}

const none: PendingRefunds = { refund: zero, baseGoods: zero };

/** Queries only where the order has pending refunds. */
export async function readPendingRefunds(
  em: EntityManager,
  { entityId, basePendingRefund }: Pick<OrderRow, 'entityId' | 'basePendingRefund'>,
): Promise<PendingRefunds> {
  if (basePendingRefund === zero) return none;
  const row = await read.first(em, { orderId: entityId });
  return row ? { refund: row.refund, baseGoods: toAmount(row.baseGoods) } : none;
}

/** A stored plan has its money in 1/10 000. */
const read = statement({
  takes: { orderId: integer },
  gives: { refund: surely(amount), baseGoods: surely(count) },
  text: `
    select coalesce(sum(amount + credited), 0) as refund,
      coalesce(sum((plan ->> 'baseGoods')::bigint), 0)::bigint as base_goods
    from refund_attempt where order_id = $orderId and state in ('started', 'uncertain')`,
});
