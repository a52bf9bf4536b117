import { z } from 'zod';
import {
  assignProduct,
  listCategoryProducts,
  unassignProduct,
} from '../../../db/platform/categories/category-products.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { idParam, integer, payload, text } from '../../wire/schemas.ts';
import { categoryDoor, unknownCategory } from './categories.ts';

const unknownProduct: Outcome = {
  status: 404,
  message: "The product that was requested doesn't exist. Verify the product and try again.",
  when: 'There is no product of this sku.',
};

const linkAnswer = z.object({ sku: z.string(), position: z.int(), category_id: z.string() });
const exampleLink = { sku: 'MUG-BLUE', position: 1, category_id: '3' };

/** The products of a category with their positions (platform facts 9.1). Refused with: 404 unknown category. */
const listCategoryProductsRoute = route({
  ...categoryDoor,
  method: 'GET',
  path: '/V1/categories/:categoryId/products',
  name: 'listCategoryProducts',
  summary: 'List the products of a category',
  description: 'By their places, 10,000 at most. A plain list, as the platform has it.',
  outcomes: [unknownCategory],
  examples: [{ title: 'One product', params: { categoryId: 3 }, response: [exampleLink] }],
  params: z.object({ categoryId: idParam }),
  response: z.array(linkAnswer),

  async handle({ em, params: { categoryId } }) {
    const rows = await listCategoryProducts(em, categoryId);
    return rows.map(({ sku, position }) => ({ sku, position, category_id: String(categoryId) }));
  },
});

const link = payload({
  sku: text(64),
  position: integer.default(0),
  categoryId: z.unknown().optional(),
  extensionAttributes: z.unknown().optional(),
});

const assign = (method: 'POST' | 'PUT', name: string) =>
  route({
    ...categoryDoor,
    method,
    path: '/V1/categories/:categoryId/products',
    name,
    summary: 'Put a product into a category',
    description: 'Or move it within. One assignment, however often it is sent. The category of the path counts.',
    outcomes: [unknownCategory, unknownProduct],
    examples: [
      {
        title: 'At the first place',
        params: { categoryId: 3 },
        body: { productLink: exampleLink },
        response: true,
      },
    ],
    params: z.object({ categoryId: idParam }),
    body: z.object({ productLink: link }),
    response: z.literal(true),

    async handle({ em, params: { categoryId }, body: { productLink } }) {
      await assignProduct(em, { categoryId, sku: productLink.sku, position: productLink.position });
      return true as const;
    },
  });

/**
 * Puts a product into a category (platform facts 9.1); POST and PUT do the same. Refused with: 404 unknown category or
 * sku.
 */
const assignProductRoutes = [assign('POST', 'assignProduct'), assign('PUT', 'moveProductInCategory')];

/** Takes a product out of a category (platform facts 9.1). Refused with: 404 unknown category or sku · 400 not in it. */
const unassignProductRoute = route({
  ...categoryDoor,
  method: 'DELETE',
  path: '/V1/categories/:categoryId/products/:sku',
  name: 'unassignProduct',
  summary: 'Take a product out of a category',
  description: 'The product stays.',
  outcomes: [
    unknownCategory,
    unknownProduct,
    {
      status: 400,
      message: "The category doesn't contain the specified product.",
      when: 'It is not in it; so is the answer to a repeat.',
    },
  ],
  examples: [{ title: 'Taken out', params: { categoryId: 3, sku: 'MUG-BLUE' }, response: true }],
  params: z.object({ categoryId: idParam, sku: z.string() }),
  response: z.literal(true),

  async handle({ em, params: { categoryId, sku } }) {
    await unassignProduct(em, { categoryId, sku });
    return true as const;
  },
});

/** The products of a category (platform facts 9.1). */
export const categoryProductRoutes: readonly AnyRoute[] = [
  listCategoryProductsRoute,
  ...assignProductRoutes,
  unassignProductRoute,
];
