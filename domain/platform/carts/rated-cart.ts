import type { RatedCurrencies } from '../credit-memos/credit-memo-currencies.ts';

interface CartCurrencies {
  baseCurrencyCode: string;
  currencyCode: string;
  /** One unit of the base currency, in the cart's currency, as decimal text. */
  currencyRate: string;
}

/**
 * The currencies of a cart, as its order will have them. A cart in the base currency has the rate 1, whatever the
 * store's rate is.
 */
export const ratedCart = ({ baseCurrencyCode, currencyCode, currencyRate }: CartCurrencies): RatedCurrencies => ({
  baseCurrencyCode,
  orderCurrencyCode: currencyCode,
  baseToOrderRate: currencyCode === baseCurrencyCode ? '1' : currencyRate,
});
