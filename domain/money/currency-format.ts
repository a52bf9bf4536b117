import { minorDigits } from './coins.ts';

/** More than there are currencies; any three letters make a format. */
const mostKept = 500;
const kept = new Map<string, Intl.NumberFormat>();

/** How a currency is written in English. Making a format takes longer than a payment's statements, so they are kept. */
export function currencyFormat(currencyCode: string): Intl.NumberFormat {
  const known = kept.get(currencyCode);
  if (known) return known;
  const digits = minorDigits(currencyCode);
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currencyCode,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  if (kept.size === mostKept) kept.clear();
  kept.set(currencyCode, format);
  return format;
}
