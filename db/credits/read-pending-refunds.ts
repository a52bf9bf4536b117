import type { EntityManager } from '@mikro-orm/postgresql';
import { amount, money, zero, type Amount } from '../../domain/money/amount.ts';
import type { Order } from '../platform/orders/order.entity.ts';

/** What refunds under way through a gateway have promised: their memos' totals, and the goods of those memos. */
export interface PendingRefunds {
  /** In the order's currency; the base is the order's own `basePendingRefund`. */
  refund: Amount;
  /** Rows ex tax, in the base currency. */
  baseGoods: Amount;
}

const none: PendingRefunds = { refund: zero, baseGoods: zero };

/** Asks only where the order says that there is something. */
export async function readPendingRefunds(
  em: EntityManager,
  { entityId, basePendingRefund }: Pick<Order, 'entityId' | 'basePendingRefund'>,
): Promise<PendingRefunds> {
  if (basePendingRefund === zero) return none;
  const [row] = await em.execute<{ refund: string; base_goods: string }[]>(
    `select coalesce(sum(amount + credited), 0) as refund, coalesce(sum((plan ->> 'baseGoods')::bigint), 0) as base_goods
     from refund_attempt where order_id = ? and state in ('started', 'uncertain')`,
    [entityId],
  );
  return row ? { refund: money(row.refund), baseGoods: amount(Number(row.base_goods)) } : none;
}
