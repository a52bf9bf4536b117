import { z } from 'zod';
import type { TierPrice } from '../../../db/platform/catalog/product.entity.ts';
import { scaleUnits, unitsPerWhole, wholeInPercent } from '../../../domain/money/fixed-point.ts';

export const tierPriceAnswer = z.object({
  customer_group_id: z.int(),
  qty: z.number(),
  value: z.number(),
  extension_attributes: z.object({ website_id: z.int(), percentage_value: z.number().optional() }),
});

/** A tier with a percentage follows the price; the other figures are as stored. */
export function renderTierPrice({ customerGroupId, qty, value, websiteId, percentageValue }: TierPrice, price: string) {
  const perUnit =
    percentageValue === undefined
      ? value
      : scaleUnits(unitsOf(price), wholeInPercent - percentageValue, wholeInPercent);
  return {
    customer_group_id: customerGroupId,
    qty: qty / unitsPerWhole,
    value: perUnit / unitsPerWhole,
    extension_attributes: {
      website_id: websiteId,
      ...(percentageValue === undefined ? {} : { percentage_value: percentageValue / unitsPerWhole }),
    },
  };
}

/** A stored price has four decimals: without its point it is the count of 1/10 000. */
const unitsOf = (price: string) => Number(price.replace('.', ''));
