import { money } from '../../domain/money/amount.ts';
import { formatUnits } from '../../domain/money/fixed-point.ts';
import { minorDigits } from '../../domain/money/minor-units.ts';

/** `('54.0000', 'USD')` → `54.00 USD`; more decimals only where they are not zero. */
export function amountText(stored: string, currency: string): string {
  const [whole = '0', decimals = ''] = formatUnits(money(stored)).split('.');
  const kept = Math.max(minorDigits(currency), decimals.replace(/0+$/, '').length);
  return `${whole}${kept > 0 ? `.${decimals.slice(0, kept)}` : ''} ${currency}`;
}

/** `('2.0000')` → `2`, `('1.5000')` → `1.5`. */
export const qtyText = (stored: string): string => formatUnits(money(stored)).replace(/\.?0+$/, '');
