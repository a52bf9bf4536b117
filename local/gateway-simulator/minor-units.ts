import { amount, type Amount } from '../../domain/money/amount.ts';

const amountDigits = 4;

/** How many decimals a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
export const minorDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

const unitsPerMinor = (currency: string) => 10 ** (amountDigits - minorDigits(currency));

/** 1261 cents of USD → 12.61. */
export const fromMinor = (minor: number, currency: string): Amount => amount(minor * unitsPerMinor(currency));

/** 12.61 USD → 1261. Undefined for an amount finer than the currency's smallest coin. */
export function toMinor(value: Amount, currency: string): number | undefined {
  const minor = value / unitsPerMinor(currency);
  return Number.isInteger(minor) ? minor : undefined;
}

/** `"12.61"` for USD, `"1261"` for JPY: how a processor writes an amount. */
export const formatMinor = (value: Amount, currency: string): string =>
  (value / 10 ** amountDigits).toFixed(minorDigits(currency));
