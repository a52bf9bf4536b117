import type { Amount } from '../money/amount.ts';
import type { Quantity } from '../money/quantity.ts';

/** The price of one piece from a quantity on, in the base currency of the website. */
export interface PriceStep {
  qty: Quantity;
  price: Amount;
}

/** The price of a product for one customer (spec 2.18), in the base currency of the website. */
export interface ResolvedPrice {
  /** Of one piece. */
  price: Amount;
  /** For more than one piece, the smallest quantity first. */
  tiers: readonly PriceStep[];
}
