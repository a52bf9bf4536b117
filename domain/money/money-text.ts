import { toWire, type Amount } from './amount.ts';

/** Money as people read it in a message or a history: `$10.00`, `CA$13.60`. Never read back. */
export const moneyText = (value: Amount, currencyCode: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: currencyCode }).format(toWire(value));
