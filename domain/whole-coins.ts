import { coinOf, isInCoins, minorDigits, toPlain, type Amount } from './money.ts';
import { finerThanCoin } from './refusals/money.ts';

/**
 * For money that moves: what is booked must be what was taken.
 *
 * Refused with: 400 an amount finer than the smallest coin of the currency, such as 0.5 JPY.
 */
export function refuseFinerThanCoin(value: Amount | null | undefined, currencyCode: string): void {
  if (value === null || value === undefined || isInCoins(value, coinOf(currencyCode))) return;
  throw finerThanCoin([toPlain(value), currencyCode, minorDigits(currencyCode)]);
}
