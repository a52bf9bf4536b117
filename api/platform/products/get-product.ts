import { z } from 'zod';
import { route } from '../../http/route.ts';
import { productAnswer } from './product-answer.ts';
import { readWholeProduct } from './read-whole-product.ts';

/**
 * One product with its stock item and its fixed taxes of the store's website (platform facts 9.1, 9.2).
 *
 * Prices are in the base currency, before tax. Refused with 404: an unknown sku.
 */
export const getProduct = route({
  method: 'GET',
  path: '/V1/products/:sku',
  acl: 'Platform_Catalog::products',
  summary: 'One product',
  params: z.object({ sku: z.string() }),
  response: productAnswer,

  handle: ({ em, params: { sku }, store }) => readWholeProduct(em, { sku, store }),
});
