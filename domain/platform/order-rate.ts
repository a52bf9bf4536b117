import { isPositive, type Amount } from '../money/amount.ts';

/** The currencies and totals of a new order, and the currencies of its store view. */
interface RatedOrder {
  baseCurrencyCode: string;
  orderCurrencyCode: string;
  baseGrandTotal: Amount;
  grandTotal: Amount;
  /** The value of one unit of the website's base currency, in the view's own. */
  view: { baseCurrencyCode: string; currencyCode: string; rate: string };
}

/**
 * The exchange rate for an order that does not state it. It is 1 within one currency, the view's own rate for the
 * view's currencies, else the ratio of the totals.
 *
 * @returns undefined where the rate cannot be told
 */
export function rateOfOrder({ view, ...order }: RatedOrder): string | undefined {
  const { baseCurrencyCode: base, orderCurrencyCode: own, baseGrandTotal, grandTotal } = order;
  if (isSame(base, own)) return '1';
  if (isSame(base, view.baseCurrencyCode) && isSame(own, view.currencyCode)) return view.rate;
  if (!isPositive(baseGrandTotal) || !isPositive(grandTotal)) return undefined;
  return (grandTotal / baseGrandTotal).toFixed(12);
}

const isSame = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();
