import { subtract, type Amount } from '../money/amount.ts';

/** An order's money in one currency: what came in, and what went out by any way. */
export interface MoneyOfOrder {
  totalPaid: Amount;
  /** By credit memos. */
  totalRefunded: Amount;
  /** By anything else: see the order's column. */
  returnedWithoutMemo: Amount;
}

/** What of the money that came in did not go out yet, by whatever way; refunds under way are not looked at. */
export const moneyLeft = ({ totalPaid, totalRefunded, returnedWithoutMemo }: MoneyOfOrder): Amount =>
  subtract(totalPaid, totalRefunded, returnedWithoutMemo);
