import { money } from '../../domain/money/amount.ts';
import { formatUnits } from '../../domain/money/fixed-point.ts';
import { priceText } from '../../domain/money/price-text.ts';

/** `('54.0000', 'USD')` → `54.00 USD`; more decimals only where they are not zero. */
export const amountText = (stored: string, currency: string): string => priceText(money(stored), currency);

/** `('2.0000')` → `2`, `('1.5000')` → `1.5`. */
export const qtyText = (stored: string): string => formatUnits(money(stored)).replace(/\.?(?<!0)0+$/, '');
