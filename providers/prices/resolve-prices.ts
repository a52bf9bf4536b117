import { unavailable } from '../../domain/errors.ts';
import type { ResolvedPrice } from '../../domain/prices/resolved-price.ts';
import { inTime } from '../in-time.ts';
import type { Log } from '../log.ts';
import type { PriceQuestion, PriceResolver } from './price-resolver.ts';

/** With whose word it is. */
export interface SourcedPrice extends ResolvedPrice {
  source: string;
}

/**
 * Walks the resolvers in order; the first that knows a SKU has the word, also where a later one were cheaper (spec 4.5).
 *
 * One that cannot be asked, or answers what is no price, is not passed over: what it might have said of the SKUs that are
 * still open nobody knows, and the catalog's price would be a wrong answer. Refused with 503 then.
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
    throw unavailable('The prices of this customer cannot be told now. Try again in a moment.');
  }
}

/** A price that is none would reach a receipt: whoever answers one did not know. */
function mustBePrice({ price, tiers }: ResolvedPrice): void {
  const isAmount = (units: number) => Number.isSafeInteger(units) && units >= 0;
  if (
    !isAmount(price) ||
    !tiers.every((tier) => isAmount(tier.price) && Number.isSafeInteger(tier.qty) && tier.qty > 0)
  )
    throw new Error('a price that is none');
}
