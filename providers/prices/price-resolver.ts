import type { ResolvedPrice } from '../../domain/prices/resolved-price.ts';
import type { Tier } from '../../domain/platform/carts/cart-price.ts';
import type { Amount } from '../../domain/money/amount.ts';

/** A product nobody before this resolver knew a price of. */
export interface OpenProduct {
  sku: string;
  /** The catalog's, which everybody pays, in the base currency of the website. */
  price: Amount;
  /** Of the customer's group. */
  tiers: readonly Tier[];
}

/** For whom, and where. */
export interface PriceQuestion {
  customerId: number;
  groupId: number;
  websiteId: number;
  /** The base currency of the website: every price is in it. */
  currencyCode: string;
  /** Each SKU once. */
  products: readonly OpenProduct[];
  deadline: Date;
}

/** Prices by SKU. One that is not in it passes to the next resolver. */
export type Prices = ReadonlyMap<string, ResolvedPrice>;

/**
 * Knows prices that hold for a customer and not for everybody (spec 4.5).
 *
 * Asked once for all products that are still open, in one statement or one call, without a lock. It throws where it cannot tell:
 * passing a product over means "this customer has no price of mine", never "I do not know".
 */
export interface PriceResolver {
  /** Stable: registers get it as `source`. */
  readonly code: string;
  resolve(question: PriceQuestion): Promise<Prices>;
}
