import { absolute, add, cent, amount, greatest, subtract, zero, type Amount } from '../money/amount.ts';
import { givenInBase } from './credit-memo-currencies.ts';
import type { BothCurrencies, Currency, MemoTotals, RefundableOrder } from './credit-memo-figures.ts';

type Totals = Record<Currency, MemoTotals>;

/**
 * Lets a memo that takes all that is left in one currency take all that is left in the other.
 *
 * An adjustment is given in one currency and converted to the cent, so the other can end a cent beside it: then the
 * last refund of an order would be refused, or leave a cent nobody can ever refund. Our choice; the platform rounds on.
 */
export function evenOutAdjustments(order: RefundableOrder, totals: Totals): Totals {
  if (!isAdjusted(totals) || order.basePendingRefund !== zero) return totals;
  const over = { base: beyond(order, totals, 'base'), order: beyond(order, totals, 'order') };
  const tolerance = oneConversion(order.baseToOrderRate);
  const isSlip = (currency: Currency) => over[currency] !== zero && absolute(over[currency]) <= tolerance[currency];
  if (over.order === zero && isSlip('base')) return { ...totals, base: lowered(totals.base, over.base) };
  if (over.base === zero && isSlip('order')) return { ...totals, order: lowered(totals.order, over.order) };
  return totals;
}

const isAdjusted = ({ base, order }: Totals) =>
  [base, order].some((totals) => totals.adjustmentPositive !== zero || totals.adjustmentNegative !== zero);

/** How much the memo takes beyond what is left; below zero when it leaves something. */
const beyond = (order: RefundableOrder, totals: Totals, currency: Currency): Amount =>
  subtract(totals[currency].grandTotal, subtract(order[currency].totalPaid, order[currency].totalRefunded));

/** What converting the other currency's cent can be off by. */
const oneConversion = (baseToOrderRate: string): BothCurrencies => {
  const oneCent = amount(cent);
  return { base: oneCent, order: greatest(oneCent, givenInBase(oneCent, baseToOrderRate).order) };
};

/** Takes the slip out of the adjustment that has room for it. */
function lowered(totals: MemoTotals, by: Amount): MemoTotals {
  const fromPositive = totals.adjustmentPositive > zero && totals.adjustmentPositive >= by;
  const adjustmentPositive = fromPositive ? subtract(totals.adjustmentPositive, by) : totals.adjustmentPositive;
  const adjustmentNegative = fromPositive ? totals.adjustmentNegative : add(totals.adjustmentNegative, by);
  if (adjustmentNegative < zero) return totals;
  return {
    ...totals,
    adjustmentPositive,
    adjustmentNegative,
    adjustment: subtract(adjustmentPositive, adjustmentNegative),
    grandTotal: subtract(totals.grandTotal, by),
  };
}
