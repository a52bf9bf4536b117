import type { Amount } from './amount.ts';
import { formatUnits } from './fixed-point.ts';
import { minorDigits } from './coins.ts';

/** 54 USD → `54.00 USD`: as many decimals as the currency has, more only where they are not zero. */
export function priceText(value: Amount, currencyCode: string): string {
  const [whole = '0', decimals = ''] = formatUnits(value).split('.');
  const kept = Math.max(minorDigits(currencyCode), decimals.replace(/(?<!0)0+$/, '').length);
  return `${whole}${kept > 0 ? `.${decimals.slice(0, kept)}` : ''} ${currencyCode}`;
}
