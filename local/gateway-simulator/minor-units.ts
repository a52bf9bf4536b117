import { amount, type Amount } from '../../domain/money/amount.ts';
import { unitsPerWhole } from '../../domain/money/fixed-point.ts';
import { minorDigits, unitsPerMinor } from '../../domain/money/minor-units.ts';

/** 1261 cents of USD → 12.61. */
export const fromMinor = (minor: number, currency: string): Amount => amount(minor * unitsPerMinor(currency));

/** 12.61 USD → 1261. Undefined for an amount finer than the currency's smallest coin. */
export function toMinor(value: Amount, currency: string): number | undefined {
  const minor = value / unitsPerMinor(currency);
  return Number.isInteger(minor) ? minor : undefined;
}

/** `"12.61"` for USD, `"1261"` for JPY: how a processor writes an amount. */
export const formatMinor = (value: Amount, currency: string): string =>
  (value / unitsPerWhole).toFixed(minorDigits(currency));
