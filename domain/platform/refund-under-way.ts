import { invalid } from '../errors.ts';
import { zero, type Amount } from '../money/amount.ts';
import type { PendingMemo } from './credit-memos/credit-memo-figures.ts';

/** What an order keeps of refunds that were begun and are not decided: the money promised to them, and their memos. */
export interface PromisedRefunds {
  basePendingRefund: Amount;
  pendingMemos?: readonly PendingMemo[] | null | undefined;
}

/** Money of the order is on its way back, or may be: whether it went is not known before the refund is decided. */
export const hasRefundUnderWay = ({ basePendingRefund, pendingMemos }: PromisedRefunds): boolean =>
  basePendingRefund !== zero || (pendingMemos ?? []).length > 0;

/**
 * The one guard before everything that could keep a credit memo from being booked: a hold, a cancellation, an invoice that
 * is taken back, a save of state or figures. Money that went back must find its order as it was (our choice).
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
