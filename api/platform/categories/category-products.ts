import { z } from 'zod';
import {
  assignProduct,
  listCategoryProducts,
  searchCategoryAttributes,
  unassignProduct,
  type CategoryAttributeRow,
} from '../../../db/platform/categories/read-categories.ts';
import { listRoute } from '../../http/route-kinds.ts';
import { done, route, type AnyRoute, type Outcome, type RouteContext } from '../../http/route.ts';
import { attributeKeys, attributeOption } from '../../wire/attribute-words.ts';
import { everything, listOfOne } from '../../wire/criteria.ts';
import { idParam, integer, payload, text } from '../../wire/schemas.ts';
import { categoryAccess, unknownCategory } from './categories.ts';
import {
  productNotInCategory,
  requestedProductMissing,
  attributeCodeNotFound,
} from '../../../domain/refusals/catalog.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';

const unknownProduct: Outcome = requestedProductMissing.because('There is no product of this sku.');

const linkAnswer = z.object({ sku: z.string(), position: z.int(), category_id: z.string() });
const exampleLink = { sku: 'MUG-BLUE', position: 1, category_id: '3' };

/** The products of a category with their positions (platform facts 9.1). Refused with: 404 unknown category. */
const listCategoryProductsRoute = route({
  ...categoryAccess,
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
    ...categoryAccess,
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

    handle: ({ em, params: { categoryId }, body: { productLink } }) =>
      done(assignProduct(em, { categoryId, sku: productLink.sku, position: productLink.position })),
  });

/**
 * Puts a product into a category (platform facts 9.1); POST and PUT do the same. Refused with: 404 unknown category or
 * sku.
 */
const assignProductRoutes = [assign('POST', 'assignProduct'), assign('PUT', 'moveProductInCategory')];

/**
 * Takes a product out of a category (platform facts 9.1). Refused with: 404 unknown category or sku · 400 not in it.
 */
const unassignProductRoute = route({
  ...categoryAccess,
  method: 'DELETE',
  path: '/V1/categories/:categoryId/products/:sku',
  name: 'unassignProduct',
  summary: 'Take a product out of a category',
  description: 'The product stays.',
  outcomes: [unknownCategory, unknownProduct, productNotInCategory],
  examples: [{ title: 'Taken out', params: { categoryId: 3, sku: 'MUG-BLUE' }, response: true }],
  params: z.object({ categoryId: idParam, sku: z.string() }),
  response: z.literal(true),

  handle: ({ em, params: { categoryId, sku } }) => done(unassignProduct(em, { categoryId, sku })),
});

/** The products of a category (platform facts 9.1). */
export const categoryProductRoutes: readonly AnyRoute[] = [
  listCategoryProductsRoute,
  ...assignProductRoutes,
  unassignProductRoute,
];

const attributeAnswer = z.object(attributeKeys).meta({ id: 'CategoryAttribute' });

const flags = ['is_active', 'include_in_menu', 'is_anchor'];
const yesOrNo = [
  { label: 'Yes', value: '1' },
  { label: 'No', value: '0' },
];
const optionsOf = (code: string) => (flags.includes(code) ? yesOrNo : []);

const render = (row: CategoryAttributeRow): z.input<typeof attributeAnswer> => ({
  attribute_id: row.attribute_id,
  attribute_code: row.attribute_code,
  frontend_input: row.frontend_input,
  backend_type: row.backend_type,
  is_required: row.is_required,
  default_frontend_label: row.default_frontend_label,
  entity_type_id: '3',
  is_user_defined: false,
  is_unique: '0',
  options: optionsOf(row.attribute_code),
});

const example = render({
  ...{ attribute_id: 13, attribute_code: 'url_key', frontend_input: 'text', backend_type: 'varchar' },
  ...{ is_required: false, default_frontend_label: 'URL Key' },
});

const unknown = attributeCodeNotFound.because('A category has no such attribute.');

async function findCategoryAttribute({ em }: Pick<RouteContext, 'em'>, code: string): Promise<CategoryAttributeRow> {
  const { rows } = await searchCategoryAttributes(em, {
    ...everything,
    groups: [[{ field: 'attribute_code', value: code, condition: 'eq' }]],
  });
  const [row] = rows;
  if (!row) throw attributeCodeNotFound([code]);
  return row;
}

/** The attributes of categories (platform facts 3, 9.1). */
const listCategoryAttributes = listRoute({
  ...categoryAccess,
  path: '/V1/categories/attributes',
  name: 'listAttributesOfCategories',
  summary: 'Search the attributes of categories',
  description: 'Those the platform has from the start.',
  outcomes: [attributeNameNotValid],
  examples: [
    {
      title: 'All',
      query: 'searchCriteria',
      response: listOfOne(example),
    },
  ],
  answer: attributeAnswer,
  find: searchCategoryAttributes,
  render,
});

/** One attribute of categories (platform facts 9.1). Refused with: 404 unknown code. */
const getCategoryAttribute = route({
  ...categoryAccess,
  method: 'GET',
  path: '/V1/categories/attributes/:attributeCode',
  name: 'getAttributeOfCategories',
  summary: 'Read an attribute of categories',
  description: 'How it is entered and kept.',
  outcomes: [unknown],
  examples: [{ title: 'The URL key', params: { attributeCode: 'url_key' }, response: example }],
  params: z.object({ attributeCode: z.string() }),
  response: attributeAnswer,
  handle: async (context) => render(await findCategoryAttribute(context, context.params.attributeCode)),
});

/** The options of a category attribute (platform facts 9.1). Refused with: 404 unknown code. */
const listCategoryAttributeOptions = route({
  ...categoryAccess,
  method: 'GET',
  path: '/V1/categories/attributes/:attributeCode/options',
  name: 'listOptionsOfCategoryAttribute',
  summary: 'List the options of an attribute of categories',
  description: 'Empty where anything may be entered.',
  outcomes: [unknown],
  examples: [{ title: 'Yes or no', params: { attributeCode: 'is_active' }, response: yesOrNo }],
  params: z.object({ attributeCode: z.string() }),
  response: z.array(attributeOption),
  handle: async (context) =>
    optionsOf((await findCategoryAttribute(context, context.params.attributeCode)).attribute_code),
});

/** The attributes of categories, which nobody changes (platform facts 9.1). */
export const categoryAttributeRoutes: readonly AnyRoute[] = [
  listCategoryAttributes,
  getCategoryAttribute,
  listCategoryAttributeOptions,
];
