import { amount, type Amount } from './amount.ts';
import { currencyExponents, usualExponent } from './currency-exponents.ts';
import type { InBoth } from './in-both.ts';
import { scaleUnits, unitsPerWhole } from './fixed-point.ts';

/**
 * The smallest coin of a currency, in units of an `Amount`: 100 for USD, 10 000 for JPY, 10 for KWD.
 *
 * The one place that knows a currency's precision. Every charge and every handback is a whole number of coins of its
 * currency. A finer amount from a register counts as the nearest coin.
 */
export type Coin = number & { readonly __brand: 'Coin' };

/** The two currencies of an order. */
export interface OrderCurrencies {
  baseCurrencyCode: string;
  orderCurrencyCode: string;
}

/** The coin of each of them. */
export type Coins = Readonly<InBoth<Coin>>;

/** How many decimals a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
export const minorDigits = (currencyCode: string): number =>
  currencyExponents[currencyCode.toUpperCase()] ?? usualExponent;

export const coinOf = (currencyCode: string): Coin => (unitsPerWhole / 10 ** minorDigits(currencyCode)) as Coin;

export const coinsOf = ({ baseCurrencyCode, orderCurrencyCode }: OrderCurrencies): Coins => ({
  base: coinOf(baseCurrencyCode),
  order: coinOf(orderCurrencyCode),
});

/** To the nearest coin, half away from zero, as the platform rounds prices to two decimals. */
export const toCoins = (value: Amount, coin: Coin): Amount => amount(scaleUnits(value, 1, 1, coin));

/** Rounded up to coins: what a customer pays for a part of a coin. */
export const upToCoins = (value: Amount, coin: Coin): Amount => amount(Math.ceil(value / coin) * coin);

/** Rounded down to coins. */
export const downToCoins = (value: Amount, coin: Coin): Amount => amount(Math.floor(value / coin) * coin);

export const isInCoins = (value: Amount, coin: Coin): boolean => value % coin === 0;
