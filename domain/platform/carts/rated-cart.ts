import type { RatedCurrencies } from '../credit-memos/credit-memo-currencies.ts';

interface CartCurrencies {
  baseCurrencyCode: string;
  currencyCode: string;
  /** One unit of the base currency in the cart's, as decimal text. */
  currencyRate: string;
}

/** The currencies of a cart as its order has them. In the base currency nothing is converted, whatever the store's rate says. */
export const ratedCart = ({ baseCurrencyCode, currencyCode, currencyRate }: CartCurrencies): RatedCurrencies => ({
  baseCurrencyCode,
  orderCurrencyCode: currencyCode,
  baseToOrderRate: currencyCode === baseCurrencyCode ? '1' : currencyRate,
});
