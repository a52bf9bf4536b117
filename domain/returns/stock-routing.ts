import { type Quantity, minimum } from '../money/quantity.ts';

/** Where the goods of a returned line go (spec 4.8): the condition decides, unless the caller names a destination. */

export interface InspectedLine {
  inspectedCondition: 'pristine' | 'damaged' | 'dispose' | null;
  returnToStock: boolean;
  qtyRequested: Quantity;
  /** The real quantity on the counter; it never changes the refund, only the stock. */
  qtyReceived: Quantity | null;
  targetSourceCode: string | null;
}

export interface Places {
  /** Where the line was shipped from. */
  originSourceCode: string | null;
  damagedSourceCode: string | null;
}

export type Destination =
  | { kind: 'source'; sourceCode: string; qty: Quantity }
  | { kind: 'written_off'; qty: Quantity }
  /** No destination is known: the receive is refused and names the reason. */
  | { kind: 'unknown'; condition: 'pristine' | 'damaged' };

/**
 * Each line has one destination. Without an inspection it counts as pristine. The received quantity is at most the
 * requested one.
 */
export function routeReturnedLine(line: InspectedLine, places: Places): Destination {
  const qty = line.qtyReceived === null ? line.qtyRequested : minimum(line.qtyReceived, line.qtyRequested);
  const condition = line.inspectedCondition ?? 'pristine';
  if (condition === 'dispose' || !line.returnToStock) return { kind: 'written_off', qty };
  const usual = condition === 'damaged' ? places.damagedSourceCode : places.originSourceCode;
  const sourceCode = line.targetSourceCode ?? usual;
  return sourceCode === null ? { kind: 'unknown', condition } : { kind: 'source', sourceCode, qty };
}
