import { atLeastNone, fewest, minus, none, plus, type Quantity } from '../money/quantity.ts';

/** Where the goods of a refund are (platform facts 10). */

/** A line's quantities once the memo is registered. */
export interface RefundedQuantities {
  qtyInvoiced: Quantity;
  qtyShipped: Quantity;
  qtyRefunded: Quantity;
}

/** What came back of a line beside its memos by hand: with returns, which move their goods themselves. */
export interface ReturnedBeside {
  /** Of what had been handed over. */
  cameBack: Quantity;
  /** Never handed over; not promised to the order any more. */
  neverShipped: Quantity;
  /** How much of `qtyRefunded` is theirs. */
  refunded: Quantity;
}

const nothing: ReturnedBeside = { cameBack: none, neverShipped: none, refunded: none };

export interface RefundedGoods {
  /** Still on the shelf, and still promised to the order: these are refunded first. */
  unshipped: Quantity;
  /** With the customer until now. */
  shipped: Quantity;
  /** How many of the shipped ones came back earlier. */
  shippedBefore: Quantity;
}

/**
 * Splits what a memo by hand refunds of a line into what was handed over and what was not.
 *
 * Memos by hand take what was not handed over first; what returns took is none of theirs, whichever it was.
 */
export function splitRefunded(after: RefundedQuantities, qty: Quantity, beside = nothing): RefundedGoods {
  const before = atLeastNone(minus(after.qtyRefunded, qty, beside.refunded));
  const onShelf = atLeastNone(minus(after.qtyInvoiced, after.qtyShipped, beside.neverShipped));
  const unshipped = fewest(qty, atLeastNone(minus(onShelf, before)));
  return {
    unshipped,
    shipped: minus(qty, unshipped),
    shippedBefore: plus(beside.cameBack, atLeastNone(minus(before, onShelf))),
  };
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
