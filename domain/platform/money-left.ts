import { add, greatest, subtract, zero, type Amount } from '../money/amount.ts';

/** An order's money in one currency: received, and given back by any way. */
export interface MoneyOfOrder {
  totalPaid: Amount;
  /** By credit memos. */
  totalRefunded: Amount;
  /** By any other way: see the order's column. */
  returnedWithoutMemo: Amount;
}

/** The money received and not given back yet, by any way; refunds under way do not count. */
export const moneyLeft = ({ totalPaid, totalRefunded, returnedWithoutMemo }: MoneyOfOrder): Amount =>
  subtract(totalPaid, totalRefunded, returnedWithoutMemo);

/** What the goods of an order are worth that no credit memo took back. */
export const worthOfGoodsOut = (order: {
  grandTotal: Amount;
  totalRefunded: Amount;
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
}): Amount =>
  greatest(
    zero,
    subtract(add(order.grandTotal, order.adjustmentPositive), order.totalRefunded, order.adjustmentNegative),
  );
