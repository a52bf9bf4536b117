import { invalid } from '../../errors.ts';
import { minus, none, plus, together, type Quantity } from '../../money/quantity.ts';
import type { PendingMemo, RefundableLine, RefundableOrder, RequestedItem } from './credit-memo-figures.ts';
import { toRefund } from '../line-quantities.ts';

/** A line of the order with the quantity the memo takes of it. */
export interface ChosenLine {
  line: RefundableLine;
  qty: Quantity;
  /** Invoiced and not yet refunded. */
  available: Quantity;
  /** Takes all that is left, so it takes the rest of the money instead of a share. */
  isLast: boolean;
}

/**
 * How much of each line comes back (platform facts 7.2): all that is left when nothing is listed, else what is listed
 * and nothing of the others. Two rows of one line are added up (our choice; the platform keeps the last).
 *
 * Refused with: 400 for a quantity below zero or beyond what is left of a line; it names a refund under way that keeps it.
 */
export function chooseLines(
  { lines, pendingMemos }: RefundableOrder,
  items: readonly RequestedItem[] = [],
): ChosenLine[] {
  return lines.map((line) => {
    const available = toRefund(line);
    const wanted = items.filter((item) => item.orderItemId === line.orderItemId).map((item) => item.qty);
    const qty = items.length === 0 ? available : together(wanted);
    if (qty > available || wanted.some((one) => one < none)) {
      throw notLeft(line, pendingMemos, minus(qty, available));
    }
    return { line, qty, available, isLast: qty === available };
  });
}

/** The platform's words, or, where it would be left but for a refund under way, that one. */
function notLeft({ orderItemId, name }: RefundableLine, pendingMemos: readonly PendingMemo[], beyond: Quantity) {
  const keepers = pendingMemos.flatMap(({ refundAttemptId, figures }) =>
    figures.lines.flatMap((line) => (line.orderItemId === orderItemId ? { refundAttemptId, qty: line.qty } : [])),
  );
  const [keeper] = keepers;
  if (!keeper || beyond <= none || beyond > plus(...keepers.map(({ qty }) => qty))) {
    return invalid('We found an invalid quantity to refund item "%1".', [name]);
  }
  return invalid('Refund attempt %refund_attempt_id is under way for item "%item": that many are not left of it.', {
    refund_attempt_id: keeper.refundAttemptId,
    item: name,
  });
}
