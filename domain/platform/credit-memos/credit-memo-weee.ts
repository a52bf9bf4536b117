import { least, scale, subtract, zero, type Amount } from '../../money/amount.ts';
import type { Coin } from '../../money/coins.ts';
import { plus, type Quantity } from '../../money/quantity.ts';
import type { Currency } from '../../money/in-both.ts';
import type { ChosenLine } from './credit-memo-lines.ts';
import { carryShare, type Carries } from './credit-memo-rounding.ts';
import { leftToRefund } from '../left-to-refund.ts';

export interface Weee {
  weeeTaxAppliedRowAmount: Amount;
  taxOnWeee: Amount;
}

/** Second collector: fixed product taxes and the tax on them, by line (platform facts 7.3, 100). */
export const collectWeee = (lines: readonly ChosenLine[], currency: Currency, carries: Carries): Weee[] =>
  lines.map((chosen) => ({
    weeeTaxAppliedRowAmount: weeeOf(chosen, currency, carries),
    taxOnWeee: taxOnWeee(chosen, currency, carries.coin),
  }));

/** A share of the row as ordered, but no more than is invoiced and left; the last takes all that is left. */
function weeeOf({ line, qty, available, isLast }: ChosenLine, currency: Currency, { regular }: Carries): Amount {
  const { weeeRow, weeeInvoiced, weeeRefunded } = line[currency];
  const left = leftToRefund(weeeInvoiced, weeeRefunded);
  if (isLast) return available > 0 ? left : zero;
  return least(left, carryShare(regular, { of: weeeRow, part: qty, whole: line.qtyOrdered }));
}

/** The tax on all that is back by now, less the tax on what was back before: it needs no register of its own. */
function taxOnWeee({ line, qty }: ChosenLine, currency: Currency, coin: Coin): Amount {
  const { taxOnWeeeRow } = line[currency];
  if (taxOnWeeeRow === zero) return zero;
  const upTo = (refunded: Quantity) => scale(taxOnWeeeRow, refunded, line.qtyOrdered, coin);
  return subtract(upTo(plus(line.qtyRefunded, qty)), upTo(line.qtyRefunded));
}
