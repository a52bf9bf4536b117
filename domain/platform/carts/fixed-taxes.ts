import { add, scale, subtract, toWire, zero, type Amount } from '../../money/amount.ts';
import type { Coin } from '../../money/coins.ts';
import { unitsPerWhole, wholeInPercent } from '../../money/fixed-point.ts';
import type { Quantity } from '../../money/quantity.ts';

/** A fixed tax on one piece of a product, such as a recycling fee, in one currency (platform facts 9.2). */
export interface FixedTax {
  title: string;
  amount: Amount;
}

/** What a fixed tax comes to for one piece and for a row, without tax on it and with it. */
export interface FixedTaxFigures {
  title: string;
  amount: Amount;
  amountInclTax: Amount;
  rowAmount: Amount;
  rowAmountInclTax: Amount;
}

/** How a shop taxes its fixed taxes. */
export interface FixedTaxRules {
  /** The catalog's amounts include the tax on them, as its prices do. */
  pricesIncludeTax: boolean;
  /** The goods' tax is charged on them too. */
  taxesFixedTaxes: boolean;
}

interface TaxedRow {
  fixedTaxes: readonly FixedTax[];
  qty: Quantity;
  /** In 1/10 000 of a percent. */
  taxPercent: number;
}

/**
 * The fixed taxes of a row. Each is rounded once for the row, and the tax on it once. A discount does not reduce them.
 */
export const fixedTaxFigures = (row: TaxedRow, rules: FixedTaxRules, coin: Coin): FixedTaxFigures[] =>
  row.fixedTaxes.map(({ title, amount }) => {
    const rowAmount = scale(amount, row.qty, unitsPerWhole, coin);
    const percent = rules.taxesFixedTaxes ? row.taxPercent : 0;
    if (rules.pricesIncludeTax) {
      const without = scale(amount, wholeInPercent, wholeInPercent + percent, priceStep);
      const tax = scale(rowAmount, percent, wholeInPercent + percent, coin);
      const rowWithout = subtract(rowAmount, tax);
      return { title, amount: without, amountInclTax: amount, rowAmount: rowWithout, rowAmountInclTax: rowAmount };
    }
    const amountInclTax = percent === 0 ? amount : scale(amount, wholeInPercent + percent, wholeInPercent, coin);
    const tax = scale(rowAmount, percent, wholeInPercent, coin);
    return { title, amount, amountInclTax, rowAmount, rowAmountInclTax: add(rowAmount, tax) };
  });

/** An amount without its included tax is kept to four decimals. */
const priceStep = 1;

/** The fixed taxes together: of one piece, of the row, and the tax on the row. */
export const fixedTaxSums = (taxes: readonly FixedTaxFigures[]) => {
  const rowAmount = add(zero, ...taxes.map((one) => one.rowAmount));
  return {
    amount: add(zero, ...taxes.map((one) => one.amount)),
    rowAmount,
    rowTax: subtract(add(zero, ...taxes.map((one) => one.rowAmountInclTax)), rowAmount),
  };
};

/** The fixed taxes of a row as the platform keeps them: a JSON text, in both currencies (platform facts 9.2). */
export const appliedTaxes = (base: readonly FixedTaxFigures[], own: readonly FixedTaxFigures[]): string =>
  JSON.stringify(
    own.map((inOwn, at) => ({
      title: inOwn.title,
      ...wired('', inOwn),
      ...wired('base_', base[at] ?? inOwn),
    })),
  );

const wired = (prefix: '' | 'base_', figures: FixedTaxFigures) => ({
  [`${prefix}amount`]: toWire(figures.amount),
  [`${prefix}row_amount`]: toWire(figures.rowAmount),
  [`${prefix}amount_incl_tax`]: toWire(figures.amountInclTax),
  [`${prefix}row_amount_incl_tax`]: toWire(figures.rowAmountInclTax),
});
