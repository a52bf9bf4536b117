import { atLeastNone, fewest, minus, none, type Quantity } from '../money/quantity.ts';

/** Where the goods of a refund are (platform facts 10). */

/** A line's quantities once the memo is registered. */
export interface RefundedQuantities {
  qtyInvoiced: Quantity;
  qtyShipped: Quantity;
  qtyRefunded: Quantity;
}

export interface RefundedGoods {
  /** Still on the shelf, and still promised to the order: these are refunded first. */
  unshipped: Quantity;
  /** With the customer until now. */
  shipped: Quantity;
  /** How many of the shipped ones earlier refunds took. */
  shippedBefore: Quantity;
}

/**
 * Splits what a memo refunded of a line into what was handed over and what was not.
 *
 * What is still promised of the product says how many of the unshipped ones are left: refunds may have taken the shipped
 * ones first, as returns do. Undefined where nothing of it was ever promised: then each refund took the unshipped ones.
 */
export function splitRefunded(after: RefundedQuantities, qty: Quantity, promised: Quantity | undefined): RefundedGoods {
  const before = minus(after.qtyRefunded, qty);
  const onShelf = atLeastNone(minus(after.qtyInvoiced, after.qtyShipped));
  const left = fewest(onShelf, promised ?? atLeastNone(minus(onShelf, before)));
  const unshipped = fewest(qty, left);
  const goneUnshipped = minus(onShelf, left);
  return { unshipped, shipped: minus(qty, unshipped), shippedBefore: atLeastNone(minus(before, goneUnshipped)) };
}

/** How much of something lies, or lay, at a source; in the order of the sources' priority. */
export interface AtSource {
  sourceCode: string;
  qty: Quantity;
}

/** Takes a quantity from the sources in their order, after leaving out the first so many; less when they hold less. */
export function takeFrom(sources: readonly AtSource[], wanted: Quantity, leftOut: Quantity = none): AtSource[] {
  const taken: AtSource[] = [];
  let skip = leftOut;
  let missing = wanted;
  for (const { sourceCode, qty } of sources) {
    const skipped = fewest(skip, qty);
    const here = fewest(minus(qty, skipped), missing);
    skip = minus(skip, skipped);
    missing = minus(missing, here);
    if (here > none) taken.push({ sourceCode, qty: here });
  }
  return taken;
}
