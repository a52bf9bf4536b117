import { zero, type Amount } from '../../money/amount.ts';
import type { Currency } from '../../money/in-both.ts';
import type { ChosenLine } from './credit-memo-lines.ts';
import { carryShare, type Bounds, type Carries } from './credit-memo-rounding.ts';
import { leftToRefund } from '../left-to-refund.ts';

export interface Row {
  rowTotal: Amount;
  rowTotalInclTax: Amount;
}

/** First collector: goods ex tax and before discount, by line (platform facts 7.3, 50). */
export const collectRows = (lines: readonly ChosenLine[], currency: Currency, carries: Carries): Row[] =>
  lines.map((chosen) => {
    const { rowInvoiced, amountRefunded, rowTotalInclTax } = chosen.line[currency];
    return {
      rowTotal: restOrShare(chosen, leftToRefund(rowInvoiced, amountRefunded), carries),
      rowTotalInclTax: carryShare(carries.including, {
        of: rowTotalInclTax,
        part: chosen.qty,
        whole: chosen.line.qtyOrdered,
      }),
    };
  });

/** The last of a line takes what is left of its money; any other part its share. */
export function restOrShare(
  { isLast, qty, available }: ChosenLine,
  left: Amount,
  { regular }: Carries,
  bounds?: Bounds,
): Amount {
  if (isLast) return available > 0 ? left : zero;
  return carryShare(regular, { of: left, part: qty, whole: available }, bounds);
}
