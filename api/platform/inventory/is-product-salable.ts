import { z } from 'zod';
import { readSalability } from '../../../db/platform/inventory/read-salability.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/** Whether a stock can sell one more of a product: a bare flag, false for an unknown sku (platform facts 10). */
export const isProductSalable = route({
  method: 'GET',
  path: '/V1/inventory/is-product-salable/:sku/:stockId',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Whether a product is for sale',
  name: 'isProductSalable',
  description: 'Whether the stock may promise one more, as a bare flag. False for an unknown SKU.',
  outcomes: [],
  params: z.object({ sku: z.string(), stockId: idParam }),
  response: z.boolean(),

  async handle({ em, params: { sku, stockId } }) {
    const [product] = await readSalability(em, { skus: [sku], stockId });
    return product?.isSalable ?? false;
  },
});
