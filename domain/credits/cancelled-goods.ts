import { scale, subtract, zero, type Amount } from '../money/amount.ts';
import { minus, none, type Quantity } from '../money/quantity.ts';

/** How much of a line was cancelled, and its rows ex tax in the base currency. */
export interface CancelledLine {
  qtyOrdered: Quantity;
  qtyInvoiced: Quantity;
  qtyCanceled: Quantity;
  baseRowTotal: Amount;
  baseRowInvoiced: Amount;
}

/**
 * Value of what was cancelled of a line: its part of what was not invoiced. All of that when nothing is left to invoice, so
 * that invoices and cancellation together are the row, whatever the invoices rounded.
 */
export function cancelledGoods(line: CancelledLine): Amount {
  const notInvoiced = minus(line.qtyOrdered, line.qtyInvoiced);
  if (notInvoiced <= none) return zero;
  return scale(subtract(line.baseRowTotal, line.baseRowInvoiced), line.qtyCanceled, notInvoiced, 1);
}
