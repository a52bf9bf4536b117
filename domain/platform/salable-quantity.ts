import { minus, none, plus, type Quantity } from '../money/quantity.ts';

/** The quantity at one source of a stock, and the product's rules for running out. */
export interface SourceQuantity {
  quantity: Quantity;
  isInStock: boolean;
}

/** Stock rules of a product: the threshold at which it is sold out, and whether it may be sold below that. */
export interface RunOutRules {
  minQty: Quantity;
  allowsBackorders: boolean;
}

/**
 * How many may still be sold: the quantity in stock, less reservations (which are signed), less the minimum kept
 * (platform facts 10). Zero when no source has any in stock.
 */
export function salableQuantity(sources: readonly SourceQuantity[], reserved: Quantity, minQty: Quantity): Quantity {
  const inStock = sources.filter((source) => source.isInStock);
  if (inStock.length === 0) return none;
  return minus(plus(...inStock.map((source) => source.quantity), reserved), minQty);
}

/** A source item runs out at the product's threshold unless backorders are allowed, and is back above it. */
export const isInStock = (quantity: Quantity, { minQty, allowsBackorders }: RunOutRules) =>
  allowsBackorders || quantity > minQty;
