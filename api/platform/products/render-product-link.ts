import { z } from 'zod';
import type { ProductLink } from '../../../domain/platform/catalog/product-links.ts';

export const productLinkAnswer = z
  .object({
    sku: z.string(),
    link_type: z.string(),
    linked_product_sku: z.string(),
    linked_product_type: z.string(),
    position: z.int(),
    extension_attributes: z.object({ qty: z.number() }).optional(),
  })
  .meta({ id: 'ProductLink' });

/** A link with the sku of its own product. */
export const renderProductLink = (sku: string, link: ProductLink): z.input<typeof productLinkAnswer> => ({
  sku,
  ...link,
});
