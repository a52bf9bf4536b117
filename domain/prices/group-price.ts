import { quantity } from '../money/quantity.ts';
import type { Amount } from '../money/amount.ts';
import type { Coin } from '../money/coins.ts';
import { unitsPerWhole } from '../money/fixed-point.ts';
import { priceOf, type Tier } from '../platform/carts/cart-price.ts';
import type { PriceStep, ResolvedPrice } from './resolved-price.ts';

/**
 * The price of the customer's own group (spec 4.5); rows for all groups do not count. A quantity costs the lowest
 * price that is open to it, as in a cart (platform facts 9.1).
 *
 * @param tiers of this group and website alone
 * @returns undefined where the group has no price of its own
 */
export function groupPrice(
  { price, tiers }: { price: Amount; tiers: readonly Tier[] },
  buyer: { groupId: number; websiteId: number; coin: Coin },
): ResolvedPrice | undefined {
  const at = (units: number) => priceOf({ price, tiers }, { ...buyer, qty: quantity(units) });
  const steps: PriceStep[] = [];
  const one = at(unitsPerWhole);
  let lowest = one;
  const more = tiers.map(({ qty }) => qty).filter((qty) => qty > unitsPerWhole);
  for (const units of [...new Set(more)].toSorted((a, b) => a - b)) {
    const stepPrice = at(units);
    if (stepPrice < lowest) steps.push({ qty: quantity(units), price: stepPrice });
    lowest = stepPrice;
  }
  return one < price || steps.length > 0 ? { price: one, tiers: steps } : undefined;
}
