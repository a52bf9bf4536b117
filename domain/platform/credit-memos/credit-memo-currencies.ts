import { invalid } from '../../errors.ts';
import { amount, type Amount } from '../../money/amount.ts';
import { coinOf, toCoins, type OrderCurrencies } from '../../money/coins.ts';
import { divideHalfAway } from '../../money/fixed-point.ts';
import type { InBoth } from '../../money/in-both.ts';

/** Rates are stored with up to twelve decimals. */
const rateDecimals = 12;
const rateOne = 10n ** BigInt(rateDecimals);

export interface RatedCurrencies extends OrderCurrencies {
  /** Units of the order's currency for one of the base currency, as decimal text. */
  baseToOrderRate: string;
}

/**
 * A base amount, as the platform's own routes take it, in both currencies, each counted in its own coins: the order's is
 * what was counted in base times the rate. Refused with: 400 an amount that the other currency cannot hold.
 */
export const givenInBase = (given: Amount, rated: RatedCurrencies): InBoth => {
  const base = toCoins(given, coinOf(rated.baseCurrencyCode));
  return { base, order: inCoinsOf(rated.orderCurrencyCode, BigInt(base) * rateOf(rated), rateOne) };
};

/**
 * An amount in the order's currency, as a register gives it, in both: the base amount is what was counted by the rate.
 * Refused with: 400 an amount that the other currency cannot hold.
 */
export const givenInOrderCurrency = (given: Amount, rated: RatedCurrencies): InBoth => {
  const order = toCoins(given, coinOf(rated.orderCurrencyCode));
  return { order, base: inCoinsOf(rated.baseCurrencyCode, BigInt(order) * rateOne, rateOf(rated)) };
};

function inCoinsOf(currencyCode: string, dividend: bigint, divisor: bigint): Amount {
  const coin = coinOf(currencyCode);
  const units = Number(divideHalfAway(dividend, divisor * BigInt(coin))) * coin;
  if (!Number.isSafeInteger(units)) throw invalid('The amount is too large in %1.', [currencyCode]);
  return amount(units);
}

/** A rate that is absent or zero counts as one, as on the platform. */
function rateOf({ baseToOrderRate }: RatedCurrencies): bigint {
  const [whole = '', fraction = ''] = baseToOrderRate.split('.');
  return BigInt(`${whole}${fraction.padEnd(rateDecimals, '0').slice(0, rateDecimals)}`) || rateOne;
}
