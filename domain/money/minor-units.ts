import { unitsPerWhole } from './fixed-point.ts';

/** How many decimals a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
export const minorDigits = (currencyCode: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode }).resolvedOptions().maximumFractionDigits ??
  2;

/** How many units of an Amount make the currency's smallest coin: 100 for USD. */
export const unitsPerMinor = (currencyCode: string): number => unitsPerWhole / 10 ** minorDigits(currencyCode);
