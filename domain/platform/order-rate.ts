import { isPositive, type Amount } from '../money/amount.ts';

/** The currencies and the totals of a new order, beside what its store view sells in. */
interface RatedOrder {
  baseCurrencyCode: string;
  orderCurrencyCode: string;
  baseGrandTotal: Amount;
  grandTotal: Amount;
  /** What one of the website's base currency is in the view's own. */
  view: { baseCurrencyCode: string; currencyCode: string; rate: string };
}

/**
 * What one of the base currency is in the order's, for an order that does not say: 1 in one currency, the view's own rate
 * for the view's own currencies, else what the totals come to.
 *
 * @returns undefined where nothing tells
 */
export function rateOfOrder({ view, ...order }: RatedOrder): string | undefined {
  const { baseCurrencyCode: base, orderCurrencyCode: own, baseGrandTotal, grandTotal } = order;
  if (isSame(base, own)) return '1';
  if (isSame(base, view.baseCurrencyCode) && isSame(own, view.currencyCode)) return view.rate;
  if (!isPositive(baseGrandTotal) || !isPositive(grandTotal)) return undefined;
  return (grandTotal / baseGrandTotal).toFixed(12);
}

const isSame = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();
