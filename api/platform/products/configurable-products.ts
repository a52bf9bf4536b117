import { z } from 'zod';
import {
  addChild,
  addOption,
  changeOption,
  readChildren,
  readOptions,
  removeChild,
  removeOption,
  type OptionDraft,
} from '../../../db/platform/catalog/configurable-products.ts';
import { productAt } from '../../../db/platform/catalog/read-products.ts';
import { findProductAttribute } from '../../../db/platform/catalog/read-product-attributes.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import { toWire, zero } from '../../../domain/money.ts';
import { combinationsOf, mostVariations } from '../../../domain/platform/catalog/entered-options.ts';
import {
  attributeCodeNotFound,
  childLacksValue,
  linkedEntityMissing,
  onlyForConfigurable,
  optionIdNotFound,
  parentHasNoOptions,
  productAlreadyAttached,
  productHasOption,
  productNotConfigurable,
  requestedOptionMissing,
} from '../../../domain/refusals/catalog.ts';
import { tooManyItems } from '../../../domain/refusals/platform.ts';
import { done, route, type AnyRoute } from '../../http/route.ts';
import { idParam, integer, payload, recordId, text } from '../../wire/schemas.ts';
import { productPayload } from './product-payload.ts';
import { unknownProduct } from './product-websites.ts';
import { productAnswer, renderProduct } from './render-product.ts';

/** What the routes of configurable products share. */

const productsAccess = { acl: 'Platform_Catalog::products' } as const;

/** More values than any option has. */
const mostValues = 1_000;

const optionAnswer = z.object({
  id: z.int(),
  attribute_id: z.string(),
  label: z.string(),
  position: z.int(),
  product_id: z.int(),
  values: z.array(z.object({ value_index: z.int() })),
});

/** An option as a caller sends it (platform facts 9.1). Only the server knows its id and its product. */
const optionPayload = payload({
  id: z.unknown().optional(),
  productId: z.unknown().optional(),
  attributeId: text(60).optional(),
  label: text(255).optional(),
  position: integer.nullish(),
  isUseDefault: z.unknown().optional(),
  values: z
    .array(payload({ valueIndex: recordId.optional(), extensionAttributes: z.unknown().optional() }))
    .max(mostValues)
    .optional(),
  extensionAttributes: z.unknown().optional(),
});

const optionExample: z.input<typeof optionAnswer> = {
  ...{ id: 1, attribute_id: '21', label: 'Size', position: 0, product_id: 7 },
  values: [{ value_index: 9 }],
};

const ofProduct = z.object({ sku: z.string() });
const ofOption = z.object({ sku: z.string(), id: idParam });
const params = { sku: 'SHIRT' };

const listOptions = route({
  ...productsAccess,
  method: 'GET',
  path: '/V1/configurable-products/:sku/options/all',
  name: 'listConfigurableOptions',
  summary: 'List the options of a configurable product',
  description: 'What a customer chooses, such as size and colour, with the values that there are.',
  outcomes: [unknownProduct, onlyForConfigurable],
  examples: [{ title: 'One', params, response: [optionExample] }],
  params: ofProduct,
  response: z.array(optionAnswer),
  handle: ({ em, params: { sku } }) => readOptions(em, sku),
});

const getOption = route({
  ...productsAccess,
  method: 'GET',
  path: '/V1/configurable-products/:sku/options/:id',
  name: 'getConfigurableOption',
  summary: 'Read an option of a configurable product',
  description: 'By its id, which is one of its product.',
  outcomes: [unknownProduct, onlyForConfigurable, linkedEntityMissing],
  examples: [{ title: 'The size', params: { ...params, id: 1 }, response: optionExample }],
  params: ofOption,
  response: optionAnswer,

  async handle({ em, params: { sku, id } }) {
    const option = (await readOptions(em, sku)).find((one) => one.id === id);
    if (!option) throw linkedEntityMissing([id]);
    return option;
  },
});

const draftOf = ({ attributeId, label, position, values }: z.output<typeof optionPayload>): OptionDraft => ({
  ...{ attributeId, label, position: position ?? undefined },
  values: values?.map(({ valueIndex }) => ({ valueIndex })),
});
const sent = { option: { attribute_id: '21', label: 'Size', position: 0, values: [{ value_index: 9 }] } };

const addOptionRoute = route({
  ...productsAccess,
  method: 'POST',
  path: '/V1/configurable-products/:sku/options',
  name: 'addConfigurableOption',
  summary: 'Add an option to a product',
  description: 'A simple product becomes a configurable one. Answers the id. A repeat is refused.',
  outcomes: [
    unknownProduct,
    onlyForConfigurable,
    productHasOption,
    { status: 400, message: 'Option values are not specified.', when: 'They are missing; so for its other fields.' },
  ],
  examples: [{ title: 'The size', params, body: sent, response: 1 }],
  params: ofProduct,
  body: z.object({ option: optionPayload }),
  response: z.int(),
  handle: ({ em, params: { sku }, body: { option } }) => addOption(em, sku, draftOf(option)),
});

const changeOptionRoute = route({
  ...productsAccess,
  method: 'PUT',
  path: '/V1/configurable-products/:sku/options/:id',
  name: 'changeConfigurableOption',
  summary: 'Change an option of a configurable product',
  description: 'What is not sent stays; the id of the path counts. Answers the id.',
  outcomes: [unknownProduct, onlyForConfigurable, optionIdNotFound],
  examples: [{ title: 'Another label', params: { ...params, id: 1 }, body: sent, response: 1 }],
  params: ofOption,
  body: z.object({ option: optionPayload }),
  response: z.int(),
  handle: ({ em, params: { sku, id }, body: { option } }) => changeOption(em, sku, { ...draftOf(option), id }),
});

const removeOptionRoute = route({
  ...productsAccess,
  method: 'DELETE',
  path: '/V1/configurable-products/:sku/options/:id',
  name: 'deleteConfigurableOption',
  summary: 'Delete an option of a configurable product',
  description: 'Its children are taken off, too, as on the platform; the products stay. A repeat is a 404.',
  outcomes: [unknownProduct, onlyForConfigurable, requestedOptionMissing],
  examples: [{ title: 'Deleted', params: { ...params, id: 1 }, response: true }],
  params: ofOption,
  response: z.literal(true),

  handle: ({ em, params: { sku, id } }) => done(removeOption(em, sku, id)),
});

/** What a customer chooses by (platform facts 9.1). */
const configurableOptionRoutes: readonly AnyRoute[] = [
  ...[listOptions, getOption, addOptionRoute, changeOptionRoute, removeOptionRoute],
];

/** More attributes than any product is chosen by. */
const mostOptions = 20;
/** Shown nowhere by itself. */
const hidden = 1;

const variation = z.object({
  sku: z.string(),
  name: z.string(),
  price: z.number(),
  status: z.int(),
  visibility: z.int(),
  extension_attributes: z.array(z.unknown()),
  product_links: z.array(z.unknown()),
  tier_prices: z.array(z.unknown()),
  custom_attributes: z.array(z.object({ attribute_code: z.string(), value: z.string() })),
});

/** The products that the values of a product's options make; saves nothing (platform facts 9.1). */
const generateVariations = route({
  ...productsAccess,
  method: 'PUT',
  path: '/V1/configurable-products/variation',
  name: 'generateVariations',
  summary: 'Work out the products behind a configurable one',
  description: 'A product for each combination of values, to be saved by the caller. Nothing is saved.',
  outcomes: [tooManyItems.because('There are more than 1,000 combinations.'), attributeCodeNotFound],
  examples: [
    {
      title: 'One size',
      body: {
        product: { sku: 'SHIRT', name: 'Shirt', price: 10 },
        options: [{ attribute_id: 'color', label: 'Colour', values: [{ value_index: 9 }] }],
      },
      response: [
        {
          ...{ sku: 'SHIRT-9', name: 'Shirt-9', price: 10, status: 1, visibility: hidden },
          ...{ extension_attributes: [], product_links: [], tier_prices: [] },
          custom_attributes: [{ attribute_code: 'color', value: '9' }],
        },
      ],
    },
  ],
  body: z.object({ product: productPayload, options: z.array(optionPayload).max(mostOptions) }),
  response: z.array(variation),

  async handle({ em, body: { product, options } }) {
    const chosen = [];
    for (const { attributeId, values = [] } of options) {
      if (attributeId === undefined) throw fieldRequired('attributeId');
      const { attribute_code: code } = await findProductAttribute(em, attributeId);
      chosen.push({ attribute_id: code, values: values.map(({ valueIndex = 0 }) => ({ value_index: valueIndex })) });
    }
    const combinations = combinationsOf(chosen);
    if (!combinations) throw tooManyItems({ type: 'variation', max: mostVariations });
    return combinations.map((values) => {
      const suffix = values.map(({ value_index: index }) => `-${index}`).join('');
      return {
        ...{ sku: `${product.sku ?? ''}${suffix}`, name: `${product.name ?? ''}${suffix}` },
        ...{ price: toWire(product.price ?? zero), status: 1, visibility: hidden },
        ...{ extension_attributes: [], product_links: [], tier_prices: [] },
        custom_attributes: values.map(({ attribute_id: code, value_index: index }) => ({
          ...{ attribute_code: code, value: String(index) },
        })),
      };
    });
  },
});

const listChildren = route({
  ...productsAccess,
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
  ...productsAccess,
  method: 'POST',
  path: '/V1/configurable-products/:sku/child',
  name: 'addChildToProduct',
  summary: 'Add a product to a configurable one',
  description: 'It must have a value of each option. A repeat is refused.',
  outcomes: [unknownProduct, productAlreadyAttached, parentHasNoOptions, childLacksValue],
  examples: [{ title: 'Added', params, body: { childSku: 'SHIRT-M' }, response: true }],
  params: ofProduct,
  body: z.object({ childSku: text(64) }),
  response: z.literal(true),

  handle: ({ em, params: { sku }, body: { childSku } }) => done(addChild(em, { sku, childSku })),
});

const removeChildRoute = route({
  ...productsAccess,
  method: 'DELETE',
  path: '/V1/configurable-products/:sku/children/:childSku',
  name: 'removeChildOfProduct',
  summary: 'Take a product off a configurable one',
  description: 'The product itself stays. A repeat is a 404.',
  outcomes: [unknownProduct, requestedOptionMissing, productNotConfigurable],
  examples: [{ title: 'Taken off', params: { ...params, childSku: 'SHIRT-M' }, response: true }],
  params: z.object({ sku: z.string(), childSku: z.string() }),
  response: z.literal(true),

  handle: ({ em, params: { sku, childSku } }) => done(removeChild(em, { sku, childSku })),
});

/** Products that a customer chooses by size or colour (platform facts 9.1). */
export const configurableProductRoutes: readonly AnyRoute[] = [
  ...configurableOptionRoutes,
  ...[listChildren, addChildRoute, removeChildRoute, generateVariations],
];
