import { z } from 'zod';
import { deleteProduct } from '../../../db/platform/catalog/delete-product.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { route } from '../../http/route.ts';
import { unknownProduct } from './product-words.ts';

/**
 * Deletes a product with its stock; orders, invoices and memos keep its data (platform facts 9.1). A repeat is a 404.
 *
 * Refused with: 404 unknown sku · 400 it is reserved for an order.
 */
export const deleteProductRoute = route({
  method: 'DELETE',
  path: '/V1/products/:sku',
  acl: 'Platform_Catalog::products',
  name: 'deleteProduct',
  summary: 'Delete a product',
  description: `With its stock and its own prices; carts and wish lists lose it. Orders and all that belongs to them keep what they say.
To take something off sale that orders wait for, set \`status\` to 2.`,
  outcomes: [
    unknownProduct,
    {
      status: 400,
      message: `The "%1" product couldn't be removed.`,
      when: 'An order that has not left the shop waits for it.',
      then: 'Ship, cancel or refund it first.',
    },
  ],
  examples: [{ title: 'Deleted', params: { sku: 'MUG-BLUE' }, response: true }],
  params: z.object({ sku: z.string() }),
  response: z.literal(true),

  async handle({ em, params: { sku }, workflows, log }) {
    await deleteProduct(em, sku);
    await followPrices({ em, workflows, log });
    return true as const;
  },
});
