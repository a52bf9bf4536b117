import { amount, cent, roundToCents, type Amount } from '../money/amount.ts';
import { divideHalfAway } from '../money/fixed-point.ts';
import type { BothCurrencies } from './credit-memo-figures.ts';

/** Rates are stored with up to twelve decimals. */
const rateDecimals = 12;
const rateOne = 10n ** BigInt(rateDecimals);

/** A base amount, as the platform's own routes take it, in both currencies: the order's is it times the rate, to the cent. */
export const givenInBase = (base: Amount, baseToOrderRate: string): BothCurrencies => {
  const rounded = roundToCents(base);
  return { base: rounded, order: toCents(BigInt(rounded) * rateOf(baseToOrderRate), rateOne) };
};

/** An amount in the order's currency, as a register gives it: it stays as given; the base amount is it by the rate. */
export const givenInOrderCurrency = (order: Amount, baseToOrderRate: string): BothCurrencies => ({
  order,
  base: toCents(BigInt(order) * rateOne, rateOf(baseToOrderRate)),
});

const toCents = (dividend: bigint, divisor: bigint): Amount =>
  amount(Number(divideHalfAway(dividend, divisor * BigInt(cent))) * cent);

/** A rate that is absent or zero counts as one, as on the platform. */
function rateOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(rateDecimals, '0').slice(0, rateDecimals)}`) || rateOne;
}
