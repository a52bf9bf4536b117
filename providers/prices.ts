import type { Amount } from '../domain/money.ts';
import type { Tier } from '../domain/platform/carts/cart-totals.ts';
import type { ResolvedPrice } from '../domain/prices.ts';
import { customerPricesUnknown } from '../domain/refusals/catalog.ts';
import { inTime } from './in-time.ts';
import type { Log } from './log.ts';

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

/** A price with the code of its resolver. */
export interface SourcedPrice extends ResolvedPrice {
  source: string;
}

/**
 * Asks the resolvers in order; the first price found for a SKU counts, even where a later one were cheaper (spec
 * 4.5).
 *
 * A resolver that fails or answers an invalid price is not skipped: its price for the open SKUs is unknown, and the
 * catalog's price would be wrong. Then it is refused with 503.
 */
export async function resolvePrices(
  resolvers: readonly PriceResolver[],
  question: PriceQuestion,
  log: Log,
): Promise<ReadonlyMap<string, SourcedPrice>> {
  const found = new Map<string, SourcedPrice>();
  for (const resolver of resolvers) {
    const products = question.products.filter(({ sku }) => !found.has(sku));
    if (products.length === 0) break;
    const prices = await ask(resolver, { ...question, products }, log);
    for (const { sku } of products) {
      const price = prices.get(sku);
      if (price) found.set(sku, { ...price, source: resolver.code });
    }
  }
  return found;
}

async function ask(resolver: PriceResolver, question: PriceQuestion, log: Log) {
  try {
    const prices = await inTime(
      Promise.resolve().then(() => resolver.resolve(question)),
      question.deadline,
    );
    for (const price of prices.values()) mustBePrice(price);
    return prices;
  } catch (error) {
    log.warn({ resolver: resolver.code, error }, 'a price resolver could not be asked');
    throw customerPricesUnknown();
  }
}

/** An invalid price would reach a receipt, so its resolver counts as failed. */
function mustBePrice({ price, tiers }: ResolvedPrice): void {
  const isAmount = (units: number) => Number.isSafeInteger(units) && units >= 0;
  if (
    !isAmount(price) ||
    !tiers.every((tier) => isAmount(tier.price) && Number.isSafeInteger(tier.qty) && tier.qty > 0)
  )
    throw new Error('an invalid price');
}
