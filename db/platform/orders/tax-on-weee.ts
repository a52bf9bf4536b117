import { add, parseAmount, subtract, zero, type Amount } from '../../../domain/money/amount.ts';
import type { Currency } from '../../../domain/money/in-both.ts';

/**
 * The tax on a row's fixed product taxes, from the JSON text the platform keeps them in (platform facts 9.2). The text
 * is a list of `row_amount` and `row_amount_incl_tax`, each with its `base_` twin. Zero when there are none.
 */
export function taxOnWeee(applied: string | null | undefined, currency: Currency): Amount {
  if (applied === null || applied === undefined || !applied.includes('incl_tax')) return zero;
  const prefix = currency === 'base' ? 'base_' : '';
  const taxes = rowsOf(applied).map((row) => {
    const without = amountOf(row, `${prefix}row_amount`);
    const including = amountOf(row, `${prefix}row_amount_incl_tax`);
    return without === undefined || including === undefined ? zero : subtract(including, without);
  });
  return add(zero, ...taxes);
}

function rowsOf(text: string): object[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.filter((row) => typeof row === 'object' && row !== null) : [];
  } catch {
    return [];
  }
}

/** An amount, sent as a number or as text. More than four decimals are rounded. */
function amountOf(row: object, key: string): Amount | undefined {
  const value: unknown = Reflect.get(row, key);
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? parseAmount(number.toFixed(4)) : undefined;
}
