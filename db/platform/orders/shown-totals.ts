import { add, greatest, subtract, zero } from '../../../domain/money/amount.ts';
import { inBoth } from '../../../domain/money/in-both.ts';
import { columnsOfMoney, moneyOf, twins } from '../../../domain/money/twins.ts';
import type { OrderLine } from './lock-order.ts';

const figures = {
  ...twins('rowTotal', 'discountAmount', 'taxAmount', 'discountTaxCompensationAmount'),
  weee: { order: 'weeeTaxAppliedRowAmount', base: 'baseWeeeTaxAppliedAmount' },
} as const;

/**
 * The totals of a line as answers show them: calculated, net of discount (platform facts 5.2). When a client sends them
 * back, they must not replace the stored ones.
 */
export const shownTotals = (line: OrderLine) =>
  columnsOfMoney(
    twins('rowTotal', 'rowTotalInclTax'),
    inBoth((currency) => {
      const { rowTotal, discountAmount, taxAmount, discountTaxCompensationAmount, weee } = moneyOf(
        line,
        figures,
        currency,
      );
      const row = subtract(rowTotal, discountAmount);
      return {
        rowTotal: greatest(zero, row),
        rowTotalInclTax: greatest(zero, add(row, taxAmount, discountTaxCompensationAmount, weee)),
      };
    }),
  );
