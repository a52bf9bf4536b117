import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError, invalid } from '../../domain/errors.ts';
import { minus, type Quantity } from '../../domain/money/quantity.ts';
import type { RefundedItem } from '../../domain/refunds/quote-refund.ts';
import { linesOf, type LockedOrder } from '../platform/orders/lock-order.ts';
import { query } from '../support/query.ts';

export interface UsedUp {
  order: LockedOrder;
  /** Null for goods without a return. */
  returnId: number | null;
  items: readonly RefundedItem[];
}

/**
 * Makes of a memo's refusal what it means: another refund has used the order, or the lines, up. Any other refusal is
 * answered as it is.
 */
export async function orNothingLeft(em: EntityManager, error: unknown, usedUp: UsedUp): Promise<unknown> {
  return error instanceof PosError && error.status === 400 && isUsedUp(usedUp) ? nothingLeft(em, usedUp) : error;
}

const isUsedUp = ({ order, items }: UsedUp) =>
  order.baseTotalPaid <= order.baseTotalRefunded + order.basePendingRefund ||
  items.some(({ orderItemId, qty }) => qty > qtyLeft(order, orderItemId));

function qtyLeft(order: LockedOrder, orderItemId: number): Quantity | number {
  const line = linesOf(order).find(({ itemId }) => itemId === orderItemId);
  return line ? minus(line.qtyInvoiced, line.qtyRefunded) : Infinity;
}

interface Taker {
  entity_id: number | null;
  increment_id: string | null;
  attempt_id: number | null;
}

/**
 * 400 for a refund that another refund has used up (spec 4.8 settle): it names the memo that took it, the newest of these
 * lines before the newest of the order; where there is none, the refund that is under way.
 */
export async function nothingLeft(em: EntityManager, { order, returnId, items }: UsedUp): Promise<PosError> {
  const [taker] = await query<Taker>(em, takerText, [order.entityId, items.map(({ orderItemId }) => orderItemId)]);
  const outcome = { outcome: 'nothing_left_to_refund', return_id: returnId };
  if (taker?.increment_id != null) {
    return invalid(`Nothing is left to refund: credit memo ${taker.increment_id} took it.`, {
      ...outcome,
      credit_memo_id: taker.entity_id,
      credit_memo_increment_id: taker.increment_id,
    });
  }
  if (taker?.attempt_id == null) return invalid('Nothing is left to refund on this order.', outcome);
  return invalid(`Nothing is left to refund: refund attempt ${taker.attempt_id} is under way for it.`, {
    ...outcome,
    refund_attempt_id: taker.attempt_id,
  });
}

const takerText = `
select m.entity_id, m.increment_id, a.attempt_id from (select 1) as always
left join lateral (
  select entity_id, increment_id from sales_creditmemo c where c.order_id = $1
  order by exists (select from sales_creditmemo_item i where i.parent_id = c.entity_id and i.order_item_id = any($2::int[])) desc,
    c.entity_id desc limit 1) m on true
left join lateral (
  select attempt_id from refund_attempt where order_id = $1 and state in ('started', 'uncertain')
  order by attempt_id desc limit 1) a on true`;
