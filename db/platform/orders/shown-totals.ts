import { add, greatest, subtract, zero } from '../../../domain/money/amount.ts';
import type { OrderLine } from './lock-order.ts';

/**
 * The totals of a line as answers show them, net of discount and worked out (platform facts 5.2): sent back, they must not
 * become the ones that are kept.
 */
export function shownTotals(line: OrderLine) {
  const row = subtract(line.rowTotal, line.discountAmount);
  const baseRow = subtract(line.baseRowTotal, line.baseDiscountAmount);
  const tax = add(line.taxAmount, line.discountTaxCompensationAmount, line.weeeTaxAppliedRowAmount);
  const baseTax = add(line.baseTaxAmount, line.baseDiscountTaxCompensationAmount, line.baseWeeeTaxAppliedAmount);
  return {
    rowTotal: greatest(zero, row),
    baseRowTotal: greatest(zero, baseRow),
    rowTotalInclTax: greatest(zero, add(row, tax)),
    baseRowTotalInclTax: greatest(zero, add(baseRow, baseTax)),
  };
}
