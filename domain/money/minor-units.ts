import type { Amount } from './amount.ts';
import { coinOf, isInCoins, minorDigits } from './coins.ts';

/** 12.61 USD → 1261. Undefined for an amount finer than the currency's smallest coin, because it cannot be paid out. */
export function inMinorUnits(value: Amount, currencyCode: string): number | undefined {
  const coin = coinOf(currencyCode);
  return isInCoins(value, coin) ? value / coin : undefined;
}

/** 1261 of USD → `12.61`, 1261 of JPY → `1261`: made from digits, without floating-point arithmetic. */
export function minorText(minor: number, currencyCode: string): string {
  const digits = minorDigits(currencyCode);
  const text = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
