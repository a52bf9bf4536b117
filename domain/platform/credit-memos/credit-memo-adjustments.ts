import { add, subtract, zero, type Amount } from '../../money/amount.ts';
import type { Currency, InBoth } from '../../money/in-both.ts';
import type { MemoTotals, RefundableOrder } from './credit-memo-figures.ts';
import { moneyLeft } from '../money-left.ts';

type Totals = InBoth<MemoTotals>;

/**
 * Makes the other currency follow the one the adjustments were given in. What takes all that is left in one currency
 * takes all in the other. What leaves something in the one never takes too much in the other.
 *
 * Every amount is converted to the cent on its own, so the other currency can end some cents beside: the last refund of
 * an order would be refused, or leave cents that can never be refunded. Our choice; the platform rounds on.
 *
 * Refunds under way are booked already in the order given here (`afterPendingMemos`), so it works beside them; a promise
 * without a memo, of which only the base is known, leaves the figures as they are.
 */
export function evenOutAdjustments(order: RefundableOrder, totals: Totals, givenIn: Currency): Totals {
  if (!isAdjusted(totals) || order.basePendingRefund !== zero) return totals;
  const other = givenIn === 'base' ? 'order' : 'base';
  const over = beyondWhatIsLeft(order, totals, givenIn);
  const otherOver = beyondWhatIsLeft(order, totals, other);
  const follows = over === zero || (over < zero && otherOver > zero);
  return follows ? { ...totals, [other]: lowered(totals[other], otherOver) } : totals;
}

const isAdjusted = ({ base, order }: Totals) =>
  [base, order].some((totals) => totals.adjustmentPositive !== zero || totals.adjustmentNegative !== zero);

/** Below zero when the memo leaves something. */
const beyondWhatIsLeft = (order: RefundableOrder, totals: Totals, currency: Currency): Amount =>
  subtract(totals[currency].grandTotal, moneyLeft(order[currency]));

/** Takes it out of the adjustment that has room for it; a negative one puts it in, as goodwill where no fee can bear it. */
function lowered(totals: MemoTotals, by: Amount): MemoTotals {
  const isBeyondFee = add(totals.adjustmentNegative, by) < zero;
  const fromPositive = totals.adjustmentPositive >= by && (totals.adjustmentPositive > zero || isBeyondFee);
  const adjustmentPositive = fromPositive ? subtract(totals.adjustmentPositive, by) : totals.adjustmentPositive;
  const adjustmentNegative = fromPositive ? totals.adjustmentNegative : add(totals.adjustmentNegative, by);
  return {
    ...totals,
    adjustmentPositive,
    adjustmentNegative,
    adjustment: subtract(adjustmentPositive, adjustmentNegative),
    grandTotal: subtract(totals.grandTotal, by),
  };
}
