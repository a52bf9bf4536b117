import type { Amount } from '../money/amount.ts';
import type { Quantity } from '../money/quantity.ts';

/** From so many pieces on, one costs so much, in the base currency of the website. */
export interface PriceStep {
  qty: Quantity;
  price: Amount;
}

/** What a product costs one customer (spec 2.18), in the base currency of the website. */
export interface ResolvedPrice {
  /** Of one piece. */
  price: Amount;
  /** Of more than one, the smallest quantity first. */
  tiers: readonly PriceStep[];
}
