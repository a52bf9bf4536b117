import type { Amount } from '../money/amount.ts';
import { unitsPerWhole } from '../money/fixed-point.ts';
import type { PriceStep, ResolvedPrice } from './resolved-price.ts';

/**
 * The price of one product under a contract: the step that one piece reaches, and the steps above it. Below the first
 * step the catalog's price holds. A contract price applies even where it is higher.
 */
export function contractPrice(catalogPrice: Amount, steps: readonly PriceStep[]): ResolvedPrice | undefined {
  if (steps.length === 0) return undefined;
  const ladder = steps.toSorted((a, b) => a.qty - b.qty);
  const reached = ladder.findLast(({ qty }) => qty <= unitsPerWhole);
  return { price: reached?.price ?? catalogPrice, tiers: ladder.filter(({ qty }) => qty > unitsPerWhole) };
}
