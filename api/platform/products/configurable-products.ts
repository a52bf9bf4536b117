import { z } from 'zod';
import { addChild, readChildren, removeChild } from '../../../db/platform/catalog/configurable-products.ts';
import { productAt } from '../../../db/platform/catalog/read-products.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { text } from '../../wire/schemas.ts';
import { configurableOptionRoutes } from './configurable-options.ts';
import { productsDoor as door, unknownOption } from './configurable-words.ts';
import { productAnswer } from './product-answer.ts';
import { generateVariations } from './product-variations.ts';
import { unknownProduct } from './product-words.ts';
import { renderProduct } from './render-product.ts';

const ofProduct = z.object({ sku: z.string() });
const params = { sku: 'SHIRT' };

const listChildren = route({
  ...door,
  method: 'GET',
  path: '/V1/configurable-products/:sku/children',
  name: 'listChildrenOfProduct',
  summary: 'List the products behind a configurable one',
  description: 'The goods that are really sold, as a list has them. Empty for a product of another type.',
  outcomes: [unknownProduct],
  examples: [{ title: 'None', params, response: [] }],
  params: ofProduct,
  response: z.array(productAnswer),

  handle: async ({ em, store, params: { sku } }) =>
    (await readChildren(em, sku)).map((row) => renderProduct(productAt(row, store))),
});

const addChildRoute = route({
  ...door,
  method: 'POST',
  path: '/V1/configurable-products/:sku/child',
  name: 'addChildToProduct',
  summary: 'Add a product to a configurable one',
  description: 'It must have a value of each option. A repeat is refused.',
  outcomes: [
    unknownProduct,
    { status: 400, message: 'The product is already attached.', when: 'It is one of the children.' },
    {
      status: 400,
      message: "The parent product doesn't have configurable product options.",
      when: 'There is nothing to choose by.',
    },
    {
      status: 400,
      message: 'The child product doesn\'t have the "%1" attribute value. Verify the value and try again.',
      when: 'Its value of an option is missing.',
    },
  ],
  examples: [{ title: 'Added', params, body: { childSku: 'SHIRT-M' }, response: true }],
  params: ofProduct,
  body: z.object({ childSku: text(64) }),
  response: z.literal(true),

  async handle({ em, params: { sku }, body: { childSku } }) {
    await addChild(em, { sku, childSku });
    return true as const;
  },
});

const removeChildRoute = route({
  ...door,
  method: 'DELETE',
  path: '/V1/configurable-products/:sku/children/:childSku',
  name: 'removeChildOfProduct',
  summary: 'Take a product off a configurable one',
  description: 'The product itself stays. A repeat is a 404.',
  outcomes: [
    unknownProduct,
    unknownOption,
    {
      status: 400,
      message: 'The product with the "%1" SKU isn\'t a configurable product.',
      when: 'The parent has another type.',
    },
  ],
  examples: [{ title: 'Taken off', params: { ...params, childSku: 'SHIRT-M' }, response: true }],
  params: z.object({ sku: z.string(), childSku: z.string() }),
  response: z.literal(true),

  async handle({ em, params: { sku, childSku } }) {
    await removeChild(em, { sku, childSku });
    return true as const;
  },
});

/** Products that a customer chooses by size or colour (platform facts 9.1). */
export const configurableProductRoutes: readonly AnyRoute[] = [
  ...configurableOptionRoutes,
  ...[listChildren, addChildRoute, removeChildRoute, generateVariations],
];
