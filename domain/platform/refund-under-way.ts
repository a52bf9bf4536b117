import { invalid } from '../errors.ts';
import { zero, type Amount } from '../money/amount.ts';
import type { PendingMemo } from './credit-memos/credit-memo-figures.ts';

/** The refunds of an order that were begun and are not decided: the money promised to them, and their memos. */
export interface PromisedRefunds {
  basePendingRefund: Amount;
  pendingMemos?: readonly PendingMemo[] | null | undefined;
}

/** A refund of the order is under way: its money may have gone back already. */
export const hasRefundUnderWay = ({ basePendingRefund, pendingMemos }: PromisedRefunds): boolean =>
  basePendingRefund !== zero || (pendingMemos ?? []).length > 0;

/**
 * The one guard before every change that could keep a credit memo from being booked: a hold, a cancellation, a
 * cancelled invoice, a save of state or figures. The memo of a refund must find its order unchanged (our choice).
 *
 * Refused with: 400 while a refund is under way; `refund_attempt_id` names it.
 */
export function refuseWhileRefundUnderWay(order: PromisedRefunds): void {
  if (!hasRefundUnderWay(order)) return;
  const [first] = order.pendingMemos ?? [];
  throw invalid('A refund of this order is under way. Try again when it is known what became of it.', {
    ...(first === undefined ? {} : { refund_attempt_id: first.refundAttemptId }),
  });
}
