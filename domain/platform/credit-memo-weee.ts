import { least, scale, subtract, zero, type Amount } from '../money/amount.ts';
import type { Currency, RefundableLine } from './credit-memo-figures.ts';
import type { ChosenLine } from './credit-memo-lines.ts';
import { carryShare, type Carries } from './credit-memo-rounding.ts';

export interface Weee {
  weeeTaxAppliedRowAmount: Amount;
  taxOnWeee: Amount;
}

/** Second collector: fixed product taxes and the tax on them, by line (platform facts 7.3, 100). */
export const collectWeee = (lines: readonly ChosenLine[], currency: Currency, carries: Carries): Weee[] =>
  lines.map((chosen) => {
    const { weeeRow, weeeRefunded, taxOnWeeeRow, taxOnWeeeRefunded } = chosen.line[currency];
    return {
      weeeTaxAppliedRowAmount: partOf(chosen, weeeRow, weeeRefunded, carries),
      taxOnWeee: partOf(chosen, taxOnWeeeRow, taxOnWeeeRefunded, carries),
    };
  });

/** A share of the row as ordered, but no more than is invoiced and left; the last takes all that is left. */
function partOf(chosen: ChosenLine, row: Amount, refunded: Amount, { regular }: Carries): Amount {
  if (row === zero || chosen.available === 0) return zero;
  const left = subtract(invoiced(chosen.line, row), refunded);
  if (chosen.isLast) return left;
  return least(left, carryShare(regular, { of: row, part: chosen.qty, whole: chosen.line.qtyOrdered }));
}

const invoiced = ({ qtyInvoiced, qtyOrdered }: RefundableLine, row: Amount): Amount =>
  qtyInvoiced === qtyOrdered ? row : scale(row, qtyInvoiced, qtyOrdered);
