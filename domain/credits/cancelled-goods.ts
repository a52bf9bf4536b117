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
 * Value of the cancelled part of a line: its share of what was not invoiced. When nothing is left to invoice, all of
 * that, so invoices and cancellation together always equal the row.
 */
export function cancelledGoods(line: CancelledLine): Amount {
  const notInvoiced = minus(line.qtyOrdered, line.qtyInvoiced);
  if (notInvoiced <= none) return zero;
  return scale(subtract(line.baseRowTotal, line.baseRowInvoiced), line.qtyCanceled, notInvoiced, 1);
}
