import { quantity, unitsPerWhole, type Amount, type Coin, type Quantity } from './money.ts';
import { priceOf, type Tier } from './platform/carts/cart-totals.ts';

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

/** The price of one piece from a quantity on, in the base currency of the website. */
interface PriceStep {
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
