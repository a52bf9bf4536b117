import { invalid } from '../errors.ts';
import { unitsPerWhole } from '../money/fixed-point.ts';
import { none, quantity, together, type Quantity } from '../money/quantity.ts';
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

/**
 * How many of a line are asked for. Rows of one line are added up, as in refunds and returns (our choice; the platform
 * keeps the last). For goods sold by the piece the fraction of each row is cut off, as the platform does it.
 */
export const wantedQuantity = ({ itemId, isQtyDecimal }: OrderedLine, wanted: readonly WantedLine[]): Quantity =>
  together(
    wanted.flatMap(({ orderItemId, qty }) => {
      if (orderItemId !== itemId || qty <= none) return [];
      return isQtyDecimal ? qty : quantity(qty - (qty % unitsPerWhole));
    }),
  );

/** 400 with every line that forbids the document; does nothing when there is none. */
export function refuseDocument(kind: 'Invoice' | 'Shipment' | 'Creditmemo', errors: readonly string[]): void {
  if (errors.length > 0) throw invalid([`${kind} Document Validation Error(s):`, ...errors].join('\n'));
}
