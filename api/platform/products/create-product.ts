import { z } from 'zod';
import { saveProduct } from '../../../db/platform/catalog/save-product.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { route } from '../../http/route.ts';
import { largestPictureBody } from './media-payload.ts';
import { productAnswer } from './product-answer.ts';
import { productPayload, toProductDraft } from './product-payload.ts';
import { readWholeProduct } from './read-whole-product.ts';
import { refusedProduct } from './product-outcomes.ts';

/** Saves a product under its sku: creates it, or changes the sent fields (platform facts 9.1). */
export const createProduct = route({
  method: 'POST',
  path: '/V1/products',
  acl: 'Platform_Catalog::products',
  summary: 'Create or change a product',
  name: 'createProduct',
  description: `A new product, or what is sent of the one with this SKU. Prices are in the base currency. A repeat
    leaves the same product.`,
  outcomes: refusedProduct,
  body: z.object({ product: productPayload, saveOptions: z.unknown().optional() }),
  largestBody: largestPictureBody,
  response: productAnswer,

  async handle({ em, body: { product }, store, now, workflows, log }) {
    if (product.sku === undefined) throw fieldRequired('sku');
    const draft = await toProductDraft(product);
    await saveProduct(em, { sku: product.sku, draft, place: store, now });
    await followPrices({ em, workflows, log });
    return readWholeProduct(em, { sku: product.sku, store });
  },
});
