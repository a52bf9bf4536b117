import type { ResolvedPrice } from '../../domain/prices/resolved-price.ts';
import type { Tier } from '../../domain/platform/carts/cart-price.ts';
import type { Amount } from '../../domain/money/amount.ts';

/** A product for which no earlier resolver has a price. */
export interface OpenProduct {
  sku: string;
  /** The catalog's price for everyone, in the base currency of the website. */
  price: Amount;
  /** Of the customer's group. */
  tiers: readonly Tier[];
}

/** The customer, the website and the products. */
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

/** Prices by SKU. A SKU without one passes to the next resolver. */
export type Prices = ReadonlyMap<string, ResolvedPrice>;

/**
 * Finds prices that apply to one customer only (spec 4.5).
 *
 * It is asked once for all open products, in one statement or one call, without a lock. It throws where it cannot
 * answer: leaving a product out means "this customer has no price here", never "I do not know".
 */
export interface PriceResolver {
  /** Stable: registers get it as `source`. */
  readonly code: string;
  resolve(question: PriceQuestion): Promise<Prices>;
}
