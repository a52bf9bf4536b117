import { z } from 'zod';
import { toWire, type Amount } from '../../domain/money/amount.ts';
import { quantityToWire } from '../../domain/money/quantity.ts';
import type { SourcedPrice } from '../../providers/prices/resolve-prices.ts';

const priceRow = z.object({
  sku: z.string(),
  base_price: z.number(),
  customer_price: z.number(),
  currency: z.string(),
  source: z.string(),
  tiers: z.array(z.object({ qty: z.number(), price: z.number() })).optional(),
});

/** Customer price rows (spec 2.18). */
export const pricesAnswer = z.object({ prices: z.array(priceRow) });

/** One row; `tiers` appears where the price of a piece depends on the quantity. */
export const renderPrice = (
  { sku, price }: { sku: string; price: Amount },
  found: SourcedPrice,
  currency: string,
): z.input<typeof priceRow> => ({
  sku,
  base_price: toWire(price),
  customer_price: toWire(found.price),
  currency,
  source: found.source,
  ...(found.tiers.length === 0
    ? {}
    : { tiers: found.tiers.map((tier) => ({ qty: quantityToWire(tier.qty), price: toWire(tier.price) })) }),
});
