import { z } from 'zod';
import { noSuchProduct } from '../../../db/platform/catalog/read-products.ts';
import { readSalability } from '../../../db/platform/inventory/read-salability.ts';
import { invalid } from '../../../domain/errors.ts';
import { quantityToWire } from '../../../domain/money/quantity.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/** Product types that are sold as their parts and have no stock of their own. */
const withoutSourceItems: readonly string[] = ['configurable', 'bundle', 'grouped'];

/** The quantity of a product that a stock can still sell: a bare number (platform facts 10). */
export const getSalableQuantity = route({
  method: 'GET',
  path: '/V1/inventory/get-product-salable-quantity/:sku/:stockId',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Salable quantity of a product',
  name: 'getSalableQuantity',
  description: `How many the stock may still promise, as a bare number: what lies at its sources less what orders
    wait for.`,
  outcomes: [
    {
      status: 404,
      message: "The product that was requested doesn't exist. Verify the product and try again.",
      when: 'No product has this SKU.',
    },
    {
      status: 400,
      message: "Can't check requested quantity for products without Source Items support.",
      when: 'The product is sold as its parts.',
    },
  ],
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
