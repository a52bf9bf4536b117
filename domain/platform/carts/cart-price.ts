import { least, scale, subtract, type Amount, amount } from '../../money/amount.ts';
import type { Coin } from '../../money/coins.ts';
import { wholeInPercent } from '../../money/fixed-point.ts';
import type { Quantity } from '../../money/quantity.ts';

/** The platform's group for prices that hold for every group (platform facts 8). */
const everyGroup = 32_000;
const everyWebsite = 0;

/** A price from a quantity on: a fixed price, or a discount (`percentageValue`, in 1/10 000 of a percent). */
export interface Tier {
  customerGroupId: number;
  websiteId: number;
  qty: number;
  value: number;
  percentageValue?: number | undefined;
}

/**
 * What one piece costs a customer who takes so many: the lowest of the catalog's price, the tier prices that are open to
 * the group on the website, and the lower prices of today: a special price, a catalog rule's (platform facts 9.1, 9.3).
 */
export function priceOf(
  { price, tiers, lower = [] }: { price: Amount; tiers: readonly Tier[]; lower?: readonly Amount[] },
  buyer: { qty: Quantity; groupId: number; websiteId: number; coin: Coin },
): Amount {
  const open = tiers.filter(
    (tier) =>
      (tier.customerGroupId === everyGroup || tier.customerGroupId === buyer.groupId) &&
      (tier.websiteId === everyWebsite || tier.websiteId === buyer.websiteId) &&
      tier.qty <= buyer.qty,
  );
  return least(price, ...lower, ...open.map((tier) => tierPrice(price, tier, buyer.coin)));
}

const tierPrice = (price: Amount, { value, percentageValue }: Tier, coin: Coin): Amount =>
  percentageValue === undefined ? amount(value) : subtract(price, scale(price, percentageValue, wholeInPercent, coin));
