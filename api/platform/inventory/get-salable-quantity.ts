import { z } from 'zod';
import { noSuchProduct } from '../../../db/platform/catalog/read-products.ts';
import { readSalability } from '../../../db/platform/inventory/read-salability.ts';
import { invalid } from '../../../domain/errors.ts';
import { quantityToWire } from '../../../domain/money/quantity.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/** Products that are sold as their parts: they lie nowhere themselves. */
const withoutSourceItems: readonly string[] = ['configurable', 'bundle', 'grouped'];

/**
 * How many of a product a stock may still promise: a bare number (platform facts 10).
 *
 * Refused with: 404 unknown sku · 400 a product that is sold as its parts.
 */
export const getSalableQuantity = route({
  method: 'GET',
  path: '/V1/inventory/get-product-salable-quantity/:sku/:stockId',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Salable quantity of a product',
  params: z.object({ sku: z.string(), stockId: idParam }),
  response: z.number(),

  async handle({ em, params: { sku, stockId } }) {
    const [product] = await readSalability(em, { skus: [sku], stockId });
    if (!product) throw noSuchProduct();
    if (withoutSourceItems.includes(product.typeId))
      throw invalid("Can't check requested quantity for products without Source Items support.");
    return quantityToWire(product.quantity);
  },
});
