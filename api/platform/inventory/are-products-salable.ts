import { z } from 'zod';
import { readSalability } from '../../../db/platform/inventory/read-salability.ts';
import { skuKey } from '../../../domain/platform/catalog/sku-key.ts';
import { oneOrMore } from '../../wire/one-or-more.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/** Enough for a basket; a query string cannot hold more. */
const maxSkus = 100;

/** As `is-product-salable`, for several products, in the order of the request; a plain list (platform facts 10). */
export const areProductsSalable = route({
  method: 'GET',
  path: '/V1/inventory/are-products-salable',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Whether products are for sale',
  name: 'areProductsSalable',
  description: 'The same for up to 100 products at once, as a plain list in the order asked.',
  outcomes: [],
  query: z.object({ skus: oneOrMore(z.string(), maxSkus), stockId: idParam }),
  response: z.array(z.object({ sku: z.string(), stock_id: z.int(), salable: z.boolean() })),

  async handle({ em, query: { skus, stockId } }) {
    const products = await readSalability(em, { skus, stockId });
    const known = new Map(products.map((product) => [skuKey(product.sku), product]));
    return skus.map((sku) => {
      const product = known.get(skuKey(sku));
      return { sku: product?.sku ?? sku, stock_id: stockId, salable: product?.isSalable === true };
    });
  },
});
