import { coinOf, type Coins } from '../../domain/money.ts';
import type { RatedCurrencies } from '../../domain/platform/credit-memos/credit-memo-figures.ts';

/** The coin of most of the tests' shops, which keep their books and sell in dollars. */
export const aCent = coinOf('USD');
export const inCents: Coins = { base: aCent, order: aCent };

/** Books in one currency, sales in another. Both have cents by default. */
export const rated = (baseToOrderRate: string, base = 'USD', order = 'CAD'): RatedCurrencies => ({
  baseToOrderRate,
  baseCurrencyCode: base,
  orderCurrencyCode: order,
});
