import { minorDigits } from './coins.ts';

/** The most formats kept. There are fewer currencies, but any three letters make a format. */
const mostKept = 500;
const kept = new Map<string, Intl.NumberFormat>();

/**
 * The English format of a currency. Formats are kept, because making one takes longer than all statements of a
 * payment.
 */
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
