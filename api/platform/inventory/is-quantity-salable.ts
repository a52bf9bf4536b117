import { z } from 'zod';
import { readSalability } from '../../../db/platform/inventory/read-salability.ts';
import { quantityErrors } from '../../../domain/platform/requested-quantity.ts';
import { route } from '../../http/route.ts';
import { idParam, quantity } from '../../wire/schemas.ts';

/** Whether a stock can sell this quantity of a product, and if not, why (platform facts 10). */
export const isQuantitySalable = route({
  method: 'GET',
  path: '/V1/inventory/is-product-salable-for-requested-qty/:sku/:stockId/:requestedQty',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Whether so many of a product are for sale',
  name: 'isQuantitySalable',
  description: `Whether the stock may promise so many; \`errors\` says why not.`,
  outcomes: [],
  params: z.object({ sku: z.string(), stockId: idParam, requestedQty: quantity }),
  response: z.strictObject({
    salable: z.boolean(),
    errors: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  }),

  async handle({ em, params: { sku, stockId, requestedQty } }) {
    const [product] = await readSalability(em, { skus: [sku], stockId });
    const errors = quantityErrors(product, requestedQty);
    return { salable: errors.length === 0, errors };
  },
});
