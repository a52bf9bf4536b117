import { atLeastNone, minimum, minus, most, none, type Quantity } from '../money/quantity.ts';

/** How far a line of an order has progressed (platform facts 5.5). */
export interface LineQuantities {
  qtyOrdered: Quantity;
  qtyInvoiced: Quantity;
  qtyShipped: Quantity;
  qtyRefunded: Quantity;
  qtyCanceled: Quantity;
  isVirtual: boolean;
}

export const toInvoice = (line: LineQuantities): Quantity =>
  atLeastNone(minus(line.qtyOrdered, line.qtyInvoiced, line.qtyCanceled));

/** Refunded goods need not be handed over any more. */
export const toShip = (line: LineQuantities): Quantity =>
  atLeastNone(minus(line.qtyOrdered, most(line.qtyShipped, line.qtyRefunded), line.qtyCanceled));

export const toRefund = (line: Pick<LineQuantities, 'qtyInvoiced' | 'qtyRefunded'>): Quantity =>
  atLeastNone(minus(line.qtyInvoiced, line.qtyRefunded));

export const isLeftToInvoice = (line: LineQuantities) => toInvoice(line) > none;

/** Virtual lines are never handed over, whatever the numbers say. */
export const isLeftToShip = (line: LineQuantities) => !line.isVirtual && toShip(line) > none;

/** What a cancellation takes from a line: no more than may still be invoiced, and shipped (platform facts 5.4). */
export const toCancel = (line: LineQuantities): Quantity => minimum(toInvoice(line), toShip(line));

/** How much promised stock a cancellation releases: goods neither shipped nor invoiced. */
export const toRelease = (line: LineQuantities): Quantity =>
  atLeastNone(minus(line.qtyOrdered, most(line.qtyShipped, line.qtyInvoiced), line.qtyCanceled));
