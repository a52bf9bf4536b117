import { invalid } from '../errors.ts';
import { atLeastNone, minimum, minus, most, none, quantity, together, unitsPerWhole, type Quantity } from '../money.ts';

/** What invoices and shipments share: a choice of an order's lines (platform facts 5.5, 6). */

/** Goods of an order that a caller asks for. */
export interface RequestedLine {
  orderItemId: number;
  qty: Quantity;
}

/** The fields of an order's line that documents about its goods need. */
export interface OrderedLine extends LineQuantities {
  itemId: number;
  sku: string;
  name?: string | null | undefined;
  isQtyDecimal: boolean;
}

/** Which of an order's lines a document takes, and how many of each. */
export type ChosenLine<Line extends OrderedLine> = { line: Line; qty: Quantity };

/**
 * How many of a line are asked for. Rows of one line are added up, as in refunds and returns (our choice; the platform
 * keeps the last). For goods sold by the piece the fraction of each row is cut off, as the platform does it.
 */
export const requestedQuantity = (
  { itemId, isQtyDecimal }: OrderedLine,
  requested: readonly RequestedLine[],
): Quantity =>
  together(
    requested.flatMap(({ orderItemId, qty }) => {
      if (orderItemId !== itemId || qty <= none) return [];
      return isQtyDecimal ? qty : quantity(qty - (qty % unitsPerWhole));
    }),
  );

/** 400 with every line that forbids the document; does nothing when there is none. */
export function refuseDocument(kind: 'Invoice' | 'Shipment' | 'Creditmemo', errors: readonly string[]): void {
  if (errors.length > 0) throw invalid([`${kind} Document Validation Error(s):`, ...errors].join('\n'));
}

/**
 * Goods go back to stock only with the order that sold them (platform facts 7.4). An id of another order would be
 * ignored silently, and the goods meant would be written off. A line with quantity zero may be named, as some clients
 * name all lines; so may a part of a bundle.
 *
 * Refused with: 400, one line for each id that is not a line of the order.
 */
export function refuseForeignGoods(
  orderLines: readonly { itemId: number }[],
  returnToStockItemIds: readonly number[],
): void {
  const own = new Set(orderLines.map(({ itemId }) => itemId));
  const foreign = [...new Set(returnToStockItemIds)].filter((itemId) => !own.has(itemId));
  const errors = foreign.map(
    () => 'The return to stock argument contains product item that is not part of the original order.',
  );
  refuseDocument('Creditmemo', errors);
}

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
