import { z } from 'zod';
import { route } from '../../http/route.ts';
import { productAnswer } from './product-answer.ts';
import { readWholeProduct } from './read-whole-product.ts';

/** One product with its stock item and the fixed taxes of the store's website (platform facts 9.1, 9.2). */
export const getProduct = route({
  method: 'GET',
  path: '/V1/products/:sku',
  acl: 'Platform_Catalog::products',
  summary: 'One product',
  name: 'getProduct',
  description: `With its stock item and the fixed taxes of the store’s website. Prices are in the base currency,
    before tax.`,
  outcomes: [
    {
      status: 404,
      message: "The product that was requested doesn't exist. Verify the product and try again.",
      when: 'No product has this SKU.',
    },
  ],
  params: z.object({ sku: z.string() }),
  response: productAnswer,

  handle: ({ reader, params: { sku }, store }) => readWholeProduct(reader, { sku, store }),
});
