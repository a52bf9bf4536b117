import { z } from 'zod';
import { saveProduct } from '../../../db/platform/catalog/save-product.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { route } from '../../http/route.ts';
import { largestPictureBody } from './media-payload.ts';
import { productAnswer } from './product-answer.ts';
import { productPayload, toProductDraft } from './product-payload.ts';
import { readWholeProduct } from './read-whole-product.ts';
import { refusedProduct } from './product-outcomes.ts';

/**
 * Changes the sent fields of a product and keeps the rest. The sku of the path counts; an unknown one creates a product
 * (platform facts 4.2, 9.1).
 */
export const updateProduct = route({
  method: 'PUT',
  path: '/V1/products/:sku',
  acl: 'Platform_Catalog::products',
  summary: 'Change a product',
  name: 'updateProduct',
  description: `What you leave out stays. The SKU of the path counts; one that is new is created. Prices are in the
    base currency. A repeat leaves the same product.`,
  outcomes: refusedProduct,
  params: z.object({ sku: z.string() }),
  body: z.object({ product: productPayload, saveOptions: z.unknown().optional() }),
  largestBody: largestPictureBody,
  response: productAnswer,

  async handle({ em, params: { sku }, body: { product }, store, now, workflows, log }) {
    const draft = await toProductDraft(product);
    await saveProduct(em, { sku, draft, place: store, now });
    await followPrices({ em, workflows, log });
    return readWholeProduct(em, { sku, store });
  },
});
