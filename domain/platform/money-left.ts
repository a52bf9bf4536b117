import { subtract, type Amount } from '../money/amount.ts';

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
