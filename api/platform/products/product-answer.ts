import { z } from 'zod';
import { customOptionAnswer } from './render-custom-option.ts';
import { mediaAnswer } from './render-media.ts';
import { productLinkAnswer } from './render-product-link.ts';
import { tierPriceAnswer } from './render-tier-price.ts';

/** A product as answers have it (platform facts 9.1). Attributes that are lists of fixed taxes come in the single read. */
export const productAnswer = z
  .object({
    id: z.int(),
    sku: z.string(),
    name: z.string(),
    attribute_set_id: z.int(),
    price: z.number(),
    status: z.int(),
    visibility: z.int(),
    type_id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    weight: z.number().optional(),
    extension_attributes: z.looseObject({ website_ids: z.array(z.int()) }),
    product_links: z.array(productLinkAnswer),
    options: z.array(customOptionAnswer),
    media_gallery_entries: z.array(mediaAnswer),
    tier_prices: z.array(tierPriceAnswer),
    custom_attributes: z.array(z.object({ attribute_code: z.string(), value: z.unknown() })),
  })
  .meta({ id: 'Product' });

export type ProductAnswer = z.input<typeof productAnswer>;
