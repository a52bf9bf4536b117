import { invalid } from '../errors.ts';
import { unitsPerWhole } from '../money/fixed-point.ts';
import { none, quantity, type Quantity } from '../money/quantity.ts';
import type { LineQuantities } from './line-quantities.ts';

/** What invoices and shipments share: a choice of an order's lines (platform facts 5.5, 6). */

/** Goods of an order that a caller asks for. */
export interface WantedLine {
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

/** For goods sold by the piece a fraction is cut off, as the platform does it. */
export function wantedQuantity({ itemId, isQtyDecimal }: OrderedLine, wanted: readonly WantedLine[]): Quantity {
  const qty = wanted.findLast((one) => one.orderItemId === itemId)?.qty ?? none;
  if (qty <= none) return none;
  return isQtyDecimal ? qty : quantity(qty - (qty % unitsPerWhole));
}

/** 400 with every line that forbids the document; does nothing when there is none. */
export function refuseDocument(kind: 'Invoice' | 'Shipment' | 'Creditmemo', errors: readonly string[]): void {
  if (errors.length > 0) throw invalid([`${kind} Document Validation Error(s):`, ...errors].join('\n'));
}
