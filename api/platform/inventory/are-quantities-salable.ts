import { z } from 'zod';
import { readSalability } from '../../../db/platform/inventory/read-salability.ts';
import { skuKey } from '../../../domain/platform/catalog/sku-key.ts';
import { quantityErrors } from '../../../domain/platform/requested-quantity.ts';
import { route } from '../../http/route.ts';
import { idParam, payload, quantity } from '../../wire/schemas.ts';

/** Enough for a basket; a query string cannot hold more. */
const maxRequests = 100;

/**
 * As `is-product-salable-for-requested-qty`, for a whole basket, in the order of the request; a plain list (platform
 * facts 10).
 */
export const areQuantitiesSalable = route({
  method: 'GET',
  path: '/V1/inventory/are-product-salable-for-requested-qty',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Whether so many of each product are for sale',
  name: 'areQuantitiesSalable',
  description: 'The same for a whole basket of up to 100 lines, as a plain list in the order asked.',
  outcomes: [],
  query: z.object({
    skuRequests: z.array(payload({ sku: z.string(), qty: quantity })).max(maxRequests),
    stockId: idParam,
  }),
  response: z.array(
    z.strictObject({
      sku: z.string(),
      stock_id: z.int(),
      salable: z.boolean(),
      errors: z.array(z.strictObject({ code: z.string(), message: z.string() })),
    }),
  ),

  async handle({ em, query: { skuRequests, stockId } }) {
    const products = await readSalability(em, { skus: skuRequests.map(({ sku }) => sku), stockId });
    const standing = new Map(products.map((product) => [skuKey(product.sku), product]));
    return skuRequests.map(({ sku, qty }) => {
      const product = standing.get(skuKey(sku));
      const errors = quantityErrors(product, qty);
      return { sku: product?.sku ?? sku, stock_id: stockId, salable: errors.length === 0, errors };
    });
  },
});
