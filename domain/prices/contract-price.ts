import type { Amount } from '../money/amount.ts';
import { unitsPerWhole } from '../money/fixed-point.ts';
import type { PriceStep, ResolvedPrice } from './resolved-price.ts';

/**
 * What a contract says of one product: the step with the largest quantity that one piece reaches, and those above it. Below its
 * first step the catalog's price holds. A contract counts as it stands, also where it is dearer.
 */
export function contractPrice(catalogPrice: Amount, steps: readonly PriceStep[]): ResolvedPrice | undefined {
  if (steps.length === 0) return undefined;
  const ladder = steps.toSorted((a, b) => a.qty - b.qty);
  const reached = ladder.findLast(({ qty }) => qty <= unitsPerWhole);
  return { price: reached?.price ?? catalogPrice, tiers: ladder.filter(({ qty }) => qty > unitsPerWhole) };
}
