import { invalid } from '../../errors.ts';
import { wholeInPercent } from '../../money/fixed-point.ts';

interface Tier {
  customerGroupId: number;
  websiteId: number;
  /** In 1/10 000, as the figures below. */
  qty: number;
  value: number;
  percentageValue?: number;
}

/** 400: a tier without a price, or with one below zero. */
export const noTierValue = () => invalid('Group price must be a number greater than 0.');

/**
 * Checks the tier prices that come with a product, in the platform's words (platform facts 9.1): a price below zero
 * would pay who buys.
 *
 * Refused with 400: a price below zero, a percentage beyond 0 to 100, the same website, group and quantity twice.
 */
export function refuseTierPrices(tiers: readonly Tier[]): void {
  const places = new Set(tiers.map((tier) => `${tier.websiteId} ${tier.customerGroupId} ${tier.qty}`));
  if (places.size < tiers.length)
    throw invalid('We found a duplicate website, tier price, customer group and quantity.');
  for (const { value, percentageValue = 0 } of tiers) {
    if (value < 0) throw noTierValue();
    if (percentageValue < 0 || percentageValue > wholeInPercent)
      throw invalid('Percentage value must be a number between 0 and 100.');
  }
}
