import { type Quantity, atLeastNone, minimum, minus, none } from '../money/quantity.ts';

/** The goods that go back to the buyer when a return ends without a refund (spec 3.2 close). */

export interface TakenIn {
  returnItemId: number;
  sku: string;
  /** The source it was put into; null: written off, no stock was changed. */
  sourceCode: string | null;
  qty: Quantity;
  /** The quantity requested, whether it reached the counter or not. */
  qtyRequested: Quantity;
  /** The part that was never handed over to the buyer: it stays in stock. */
  qtyNeverShipped: Quantity;
}

export interface OnShelf {
  sku: string;
  sourceCode: string;
  qty: Quantity;
}

export interface ReturnedToBuyer {
  returnItemId: number;
  sku: string;
  sourceCode: string | null;
  qty: Quantity;
  /** What should have gone back but is no longer there: sold or moved meanwhile. */
  qtyMissing: Quantity;
}

/**
 * Takes each line out of the source it was put into, as far as it is still there: never below zero.
 *
 * Lines of one product at one source share its stock, in their order.
 */
export function returnToBuyer(lines: readonly TakenIn[], shelves: readonly OnShelf[]): ReturnedToBuyer[] {
  const left = shelves.map((shelf) => ({ ...shelf, qty: atLeastNone(shelf.qty) }));
  return lines.map(({ returnItemId, sku, sourceCode, qty: takenIn, qtyRequested, qtyNeverShipped }) => {
    const due = minimum(takenIn, atLeastNone(minus(qtyRequested, qtyNeverShipped)));
    if (sourceCode === null) return { returnItemId, sku, sourceCode, qty: due, qtyMissing: none };
    const shelf = left.find((one) => one.sku === sku && one.sourceCode === sourceCode);
    const qty = minimum(due, shelf?.qty ?? none);
    if (shelf) shelf.qty = minus(shelf.qty, qty);
    return { returnItemId, sku, sourceCode, qty, qtyMissing: minus(due, qty) };
  });
}
