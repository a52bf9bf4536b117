import { z } from 'zod';

/**
 * A product in answers (platform facts 9.1). Attributes that are lists of fixed taxes appear only in the single read.
 */
export const productAnswer = z.object({
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
  product_links: z.array(z.unknown()),
  options: z.array(z.unknown()),
  media_gallery_entries: z.array(z.unknown()),
  tier_prices: z.array(
    z.object({
      customer_group_id: z.int(),
      qty: z.number(),
      value: z.number(),
      extension_attributes: z.object({ website_id: z.int(), percentage_value: z.number().optional() }),
    }),
  ),
  custom_attributes: z.array(z.object({ attribute_code: z.string(), value: z.unknown() })),
});

export type ProductAnswer = z.input<typeof productAnswer>;
