import { coinOf, formatUnits, isInCoins, minorDigits, toWire, type Amount } from './money.ts';

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

/** 54 USD → `54.00 USD`: as many decimals as the currency has, more only where they are not zero. */
export function priceText(value: Amount, currencyCode: string): string {
  const [whole = '0', decimals = ''] = formatUnits(value).split('.');
  const digits = Math.max(minorDigits(currencyCode), decimals.replace(/(?<!0)0+$/, '').length);
  return `${whole}${digits > 0 ? `.${decimals.slice(0, digits)}` : ''} ${currencyCode}`;
}

/** The most formats kept. There are fewer currencies, but any three letters make a format. */
const mostStored = 500;
const cached = new Map<string, Intl.NumberFormat>();

/**
 * The English format of a currency. Formats are kept, because making one takes longer than all statements of a
 * payment.
 */
export function currencyFormat(currencyCode: string): Intl.NumberFormat {
  const known = cached.get(currencyCode);
  if (known) return known;
  const digits = minorDigits(currencyCode);
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currencyCode,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  if (cached.size === mostStored) cached.clear();
  cached.set(currencyCode, format);
  return format;
}

/** Money as people read it in a message or a history: `$10.00`, `CA$13.60`. Only for display. */
export const moneyText = (value: Amount, currencyCode: string): string =>
  currencyFormat(currencyCode).format(toWire(value));
