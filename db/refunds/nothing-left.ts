import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError, invalid } from '../../domain/errors.ts';
import { minus, type Quantity } from '../../domain/money/quantity.ts';
import { afterPendingMemos } from '../../domain/platform/credit-memos/credit-memo-after.ts';
import type { RefundableLine } from '../../domain/platform/credit-memos/credit-memo-figures.ts';
import type { RefundedItem } from '../../domain/refunds/quote-refund.ts';
import { refundableOrder } from '../platform/credit-memos/refundable-order.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { flag, integer, integers, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

export interface UsedUp {
  order: LockedOrder;
  /** Null for goods without a return. */
  returnId: number | null;
  items: readonly RefundedItem[];
}

/**
 * Translates a memo's refusal where another refund has used up the order or its lines. Any other refusal is
 * unchanged.
 */
export async function explainUsedUp(em: EntityManager, error: unknown, usedUp: UsedUp): Promise<unknown> {
  return error instanceof PosError && error.status === 400 && isUsedUp(usedUp) ? nothingLeft(em, usedUp) : error;
}

function isUsedUp({ order, items }: UsedUp): boolean {
  if (order.baseTotalPaid <= order.baseTotalRefunded + order.basePendingRefund) return true;
  const { lines } = afterPendingMemos(refundableOrder(order));
  return items.some(({ orderItemId, qty }) => qty > qtyLeft(lines, orderItemId));
}

function qtyLeft(lines: readonly RefundableLine[], itemId: number): Quantity | number {
  const line = lines.find(({ orderItemId }) => orderItemId === itemId);
  return line ? minus(line.qtyInvoiced, line.qtyRefunded) : Infinity;
}

/**
 * 400 for a refund whose goods another refund has used up (spec 4.8 settle). It names the memo: the newest of these
 * lines, else the newest of the order. Without such a memo it names the refund under way: of these lines, else any.
 */
export async function nothingLeft(em: EntityManager, { order, returnId, items }: UsedUp): Promise<PosError> {
  const taker = await findTaker.first(em, {
    orderId: order.entityId,
    itemIds: items.map(({ orderItemId }) => orderItemId),
  });
  const outcome = { outcome: 'nothing_left_to_refund', return_id: returnId };
  const isUnderWay = taker?.attemptHasLines === true && taker.memoHasLines !== true;
  if (taker && taker.incrementId !== null && !isUnderWay) {
    return invalid(`Nothing is left to refund: credit memo ${taker.incrementId} took it.`, {
      ...outcome,
      credit_memo_id: taker.entityId,
      credit_memo_increment_id: taker.incrementId,
    });
  }
  if (taker?.attemptId == null) return invalid('Nothing is left to refund on this order.', outcome);
  return invalid(`Nothing is left to refund: refund attempt ${taker.attemptId} is under way for it.`, {
    ...outcome,
    refund_attempt_id: taker.attemptId,
  });
}

const findTaker = statement({
  takes: { orderId: integer, itemIds: integers },
  gives: {
    entityId: orNull(integer),
    incrementId: orNull(text),
    memoHasLines: orNull(flag),
    attemptId: orNull(integer),
    attemptHasLines: orNull(flag),
  },
  text: `
select m.entity_id, m.increment_id, m.memo_has_lines, a.attempt_id, a.attempt_has_lines from (select 1) as always
left join lateral (
  select entity_id, increment_id, exists (
      select from sales_creditmemo_item i where i.parent_id = c.entity_id and i.order_item_id = any($itemIds::int[])
    ) as memo_has_lines
  from sales_creditmemo c where c.order_id = $orderId and c.figures_from <> 'save' order by memo_has_lines desc, c.entity_id desc limit 1) m on true
left join lateral (
  select attempt_id, exists (
      select from jsonb_array_elements(plan -> 'items') i where (i ->> 'orderItemId')::int = any($itemIds::int[])
    ) as attempt_has_lines
  from refund_attempt where order_id = $orderId and state in ('started', 'uncertain')
  order by attempt_has_lines desc, attempt_id desc limit 1) a on true`,
});
