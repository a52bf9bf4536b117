import { minus, none, plus, type Quantity } from '../money/quantity.ts';

/** What lies at one source of a stock, and what the product says about running out. */
export interface SourceQuantity {
  quantity: Quantity;
  isInStock: boolean;
}

/** How a product is kept: below what it counts as sold out, and whether it may be sold all the same. */
export interface StockRules {
  minQty: Quantity;
  allowsBackorders: boolean;
}

/**
 * How many may still be promised: what lies in stock, less what is promised already (reservations are signed), less what
 * must never be sold (platform facts 10). Nothing when no source has any in stock.
 */
export function salableQuantity(sources: readonly SourceQuantity[], reserved: Quantity, minQty: Quantity): Quantity {
  const inStock = sources.filter((source) => source.isInStock);
  if (inStock.length === 0) return none;
  return minus(plus(...inStock.map((source) => source.quantity), reserved), minQty);
}

/** A source item runs out at the product's threshold unless backorders are allowed, and is back above it. */
export const isInStock = (quantity: Quantity, { minQty, allowsBackorders }: StockRules) =>
  allowsBackorders || quantity > minQty;
