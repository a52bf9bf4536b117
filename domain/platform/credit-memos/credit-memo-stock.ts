import { atLeastNone, minimum, minus, none, type Quantity } from '../../money/quantity.ts';

/** Where the goods of a refund are (platform facts 10). */

/** A line's quantities, and what of it came back before this memo: with memos that moved their goods, and with returns. */
export interface GoodsOfLine {
  qtyInvoiced: Quantity;
  qtyShipped: Quantity;
  before: CameBack;
}

export interface CameBack {
  /** Of what had been handed over. */
  cameBack: Quantity;
  /** Never handed over; not promised to the order any more. */
  neverShipped: Quantity;
}

export interface RefundedGoods {
  /** Still on the shelf, and still promised to the order: these are refunded first. */
  unshipped: Quantity;
  /** With the customer until now, or back already with a return. */
  shipped: Quantity;
}

/** Splits what a memo refunds of a line into what was handed over and what was not. */
export function splitRefunded({ qtyInvoiced, qtyShipped, before }: GoodsOfLine, qty: Quantity): RefundedGoods {
  const onShelf = atLeastNone(minus(qtyInvoiced, qtyShipped, before.neverShipped));
  const unshipped = minimum(qty, onShelf);
  return { unshipped, shipped: minus(qty, unshipped) };
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
    const skipped = minimum(skip, qty);
    const here = minimum(minus(qty, skipped), missing);
    skip = minus(skip, skipped);
    missing = minus(missing, here);
    if (here > none) taken.push({ sourceCode, qty: here });
  }
  return taken;
}
