import type { Amount } from './amount.ts';
import { currencyFormat } from './currency-format.ts';
import { unitsPerWhole } from './fixed-point.ts';

/** How many decimals a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
export const minorDigits = (currencyCode: string): number =>
  currencyFormat(currencyCode).resolvedOptions().maximumFractionDigits ?? 2;

/** How many units of an Amount make the currency's smallest coin: 100 for USD. */
export const unitsPerMinor = (currencyCode: string): number => unitsPerWhole / 10 ** minorDigits(currencyCode);

/** 12.61 USD → 1261. Undefined for an amount finer than the currency's smallest coin: nobody can pay that out. */
export function inMinorUnits(value: Amount, currencyCode: string): number | undefined {
  const units = unitsPerMinor(currencyCode);
  return value % units === 0 ? value / units : undefined;
}

/** 1261 of USD → `12.61`, 1261 of JPY → `1261`: by digits, so that no fraction is ever made. */
export function minorText(minor: number, currencyCode: string): string {
  const digits = minorDigits(currencyCode);
  const text = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
