import { type Quantity, atLeastNone, fewest, minus, none } from '../money/quantity.ts';

/** What of a return that ends without a refund goes back to the buyer (spec 3.2 close). */

export interface TakenIn {
  returnItemId: number;
  sku: string;
  /** The shelf it went to; null: written off, no shelf was touched. */
  sourceCode: string | null;
  qty: Quantity;
  /** What was asked for, on the counter or not. */
  qtyRequested: Quantity;
  /** Of it, never handed over to the buyer in the first place: it stays where it lies. */
  qtyNeverShipped: Quantity;
}

export interface OnShelf {
  sku: string;
  sourceCode: string;
  qty: Quantity;
}

export interface HandedBack {
  returnItemId: number;
  sku: string;
  sourceCode: string | null;
  qty: Quantity;
  /** What should have gone back and lies there no more: sold or moved meanwhile. */
  qtyMissing: Quantity;
}

/**
 * Takes each line out of the shelf it went to, as far as it is still there: never below zero.
 *
 * Lines of one product on one shelf share what lies there, first come first served.
 */
export function handBack(lines: readonly TakenIn[], shelves: readonly OnShelf[]): HandedBack[] {
  const left = shelves.map((shelf) => ({ ...shelf, qty: atLeastNone(shelf.qty) }));
  return lines.map(({ returnItemId, sku, sourceCode, qty: takenIn, qtyRequested, qtyNeverShipped }) => {
    const due = fewest(takenIn, atLeastNone(minus(qtyRequested, qtyNeverShipped)));
    if (sourceCode === null) return { returnItemId, sku, sourceCode, qty: due, qtyMissing: none };
    const shelf = left.find((one) => one.sku === sku && one.sourceCode === sourceCode);
    const qty = fewest(due, shelf?.qty ?? none);
    if (shelf) shelf.qty = minus(shelf.qty, qty);
    return { returnItemId, sku, sourceCode, qty, qtyMissing: minus(due, qty) };
  });
}
