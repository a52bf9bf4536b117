import { z } from 'zod';
import {
  readProductAttribute,
  searchProductAttributes,
} from '../../../db/platform/catalog/search-product-attributes.ts';
import { attributeInputs } from '../../../domain/platform/catalog/attribute-inputs.ts';
import { listRoute } from '../../http/list-route.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { attributeOption } from '../../wire/attribute-words.ts';
import { listOfOne, unknownField } from '../../wire/search-criteria.ts';
import { exampleAttribute, optionsOf, productAttributeAnswer, renderProductAttribute } from './attribute-answer.ts';
import { attributeOptionRoutes } from './attribute-options.ts';
import { attributeDoor, unknown } from './attribute-words.ts';
import { saveProductAttributeRoutes } from './save-product-attribute.ts';

const types = attributeInputs.map(({ value, label }) => ({ value, label }));

/** The attributes of products (platform facts 3, 9.1). */
const listProductAttributes = listRoute({
  ...attributeDoor,
  path: '/V1/products/attributes',
  name: 'listAttributesOfProducts',
  summary: 'Search the attributes of products',
  description: `Those the platform has from the start, those of the shop, and every one that came with a product. \`scope\` is \`global\`, \`website\` or
\`store\`: a value that is saved by a store view's path holds so far.`,
  outcomes: [unknownField],
  examples: [
    {
      title: 'All',
      query: 'searchCriteria',
      response: listOfOne(exampleAttribute),
    },
  ],
  answer: productAttributeAnswer,
  find: searchProductAttributes,
  render: (row, { storeId }) => renderProductAttribute(row, storeId),
});

/** One attribute, by its code or its id (platform facts 9.1). Refused with: 404 unknown. */
const getProductAttribute = route({
  ...attributeDoor,
  method: 'GET',
  path: '/V1/products/attributes/:attributeCode',
  name: 'getAttributeOfProducts',
  summary: 'Read an attribute of products',
  description: 'By its code or its id: how it is entered, kept, and how far a value holds.',
  outcomes: [unknown],
  examples: [{ title: 'Visibility', params: { attributeCode: 'visibility' }, response: exampleAttribute }],
  params: z.object({ attributeCode: z.string() }),
  response: productAttributeAnswer,

  async handle({ reader, store, params }) {
    const row = await readProductAttribute(reader, params.attributeCode);
    return renderProductAttribute(row, store.storeId, await optionsOf({ reader, store }, row));
  },
});

/** The options of a product attribute (platform facts 9.1). Refused with: 404 unknown. */
const listProductAttributeOptions = route({
  ...attributeDoor,
  method: 'GET',
  path: '/V1/products/attributes/:attributeCode/options',
  name: 'listOptionsOfProductAttribute',
  summary: 'List the options of an attribute of products',
  description: 'With the labels of the store view of the path. Empty where anything may be entered.',
  outcomes: [unknown],
  examples: [
    { title: 'Where it is shown', params: { attributeCode: 'visibility' }, response: exampleAttribute.options },
  ],
  params: z.object({ attributeCode: z.string() }),
  response: z.array(attributeOption),

  handle: async ({ reader, store, params }) =>
    optionsOf({ reader, store }, await readProductAttribute(reader, params.attributeCode)),
});

/** The inputs that an attribute may have (platform facts 9.1). */
const listAttributeTypes = route({
  ...attributeDoor,
  method: 'GET',
  path: '/V1/products/attributes/types',
  name: 'listTypesOfProductAttributes',
  summary: 'List the inputs of attributes of products',
  description: 'What `frontend_input` of a new attribute may be. Swatches are missing.',
  outcomes: [],
  examples: [{ title: 'All', response: types }],
  response: z.array(attributeOption),
  handle: async () => types,
});

/** The attributes of products (platform facts 9.1). Types are first: their path is also that of a code. */
export const productAttributeRoutes: readonly AnyRoute[] = [
  listProductAttributes,
  listAttributeTypes,
  getProductAttribute,
  listProductAttributeOptions,
  ...saveProductAttributeRoutes,
  ...attributeOptionRoutes,
];
