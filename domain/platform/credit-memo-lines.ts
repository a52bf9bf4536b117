import { invalid } from '../errors.ts';
import { atLeastNone, minus, none, plus, type Quantity } from '../money/quantity.ts';
import type { RefundableLine, RefundableOrder, RequestedItem } from './credit-memo-figures.ts';

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
 * Refused with: 400 for a quantity below zero or beyond what is left of a line.
 */
export function chooseLines({ lines }: RefundableOrder, items: readonly RequestedItem[] = []): ChosenLine[] {
  return lines.map((line) => {
    const available = atLeastNone(minus(line.qtyInvoiced, line.qtyRefunded));
    const wanted = items.filter((item) => item.orderItemId === line.orderItemId).map((item) => item.qty);
    const qty = items.length === 0 ? available : plus(...wanted);
    if (qty > available || wanted.some((one) => one < none)) {
      throw invalid('We found an invalid quantity to refund item "%1".', [line.name]);
    }
    return { line, qty, available, isLast: qty === available };
  });
}
