import type { PendingMemo } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { none, type InBoth } from '../../../domain/money.ts';
import type { OrderRow } from '../orders/lock-order.ts';

/**
 * The memos of an order's refunds under way. The order keeps them beside the money it reserves for these refunds. Every
 * other memo must leave them their goods and shipping. A change makes a new list, because a row notices only a new
 * value.
 */
type Promising = Pick<OrderRow, 'pendingMemos'>;

export function withPendingMemo({ pendingMemos }: Promising, { refundAttemptId, figures }: PendingMemo): PendingMemo[] {
  const lines = figures.lines.filter(({ qty }) => qty > none);
  return [...(pendingMemos ?? []), { refundAttemptId, figures: { ...figures, lines } }];
}

/** Null when none is left. */
export function withoutPendingMemo({ pendingMemos }: Promising, refundAttemptId: number): PendingMemo[] | null {
  const others = (pendingMemos ?? []).filter((memo) => memo.refundAttemptId !== refundAttemptId);
  return others.length === 0 ? null : others;
}

/** The shipping that an attempt's memo gives back; undefined when the order keeps no memo for the attempt. */
export function pendingShipping({ pendingMemos }: Promising, refundAttemptId: number): InBoth | undefined {
  const figures = pendingMemos?.find((memo) => memo.refundAttemptId === refundAttemptId)?.figures;
  return figures && { base: figures.base.shippingAmount, order: figures.order.shippingAmount };
}
