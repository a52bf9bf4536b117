import { z } from 'zod';
import {
  addAttributeOption,
  attributeIsOfSystem,
  attributeIsUsed,
  changeAttributeOption,
  deleteProductAttribute,
  noSuchOption,
  removeAttributeOption,
  takesNone,
} from '../../../db/platform/catalog/attribute-options.ts';
import { changeProductAttribute, createProductAttribute } from '../../../db/platform/catalog/attribute-sets.ts';
import {
  searchProductAttributes,
  type AttributeDraft,
  type AttributeOptionDraft,
} from '../../../db/platform/catalog/search-product-attributes.ts';
import { readProductAttribute } from '../../../db/platform/catalog/read-product-attributes.ts';
import { definedFields } from '../../../db/support/defined-fields.ts';
import { attributeInputs } from '../../../domain/platform/catalog/product-attributes.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { listRoute } from '../../http/route-kinds.ts';
import { done, route, type AnyRoute, type Outcome, type RouteContext } from '../../http/route.ts';
import { attributeOption } from '../../wire/attribute-words.ts';
import { listOfOne } from '../../wire/criteria.ts';
import { idParam } from '../../wire/schemas.ts';
import {
  attributeAccess,
  attributePayload,
  exampleAttribute,
  exampleOwnAttribute,
  namelessOption,
  ofAttribute,
  optionPayload,
  optionsOf,
  productAttributeAnswer,
  refusedCodes,
  renderProductAttribute,
  sameOption,
  unknown,
  unknownOptionId,
  wrongValue,
} from './attributes-of-set.ts';

const toOptionDraft = (sent: z.output<typeof optionPayload>): AttributeOptionDraft => sent;

function toAttributeDraft(sent: z.output<typeof attributePayload>): AttributeDraft {
  const {
    attribute_code,
    frontend_input,
    default_frontend_label,
    frontend_labels,
    scope,
    is_required,
    is_unique,
    ...others
  } = sent;
  const { options, ...settings } = others;
  return {
    attributeCode: attribute_code,
    frontendInput: frontend_input,
    label: default_frontend_label,
    labels: frontend_labels,
    scope,
    isRequired: is_required,
    isUnique: is_unique,
    settings: definedFields(settings),
    options: options?.map(toOptionDraft),
  };
}

const ofOption = z.object({ attributeCode: z.string(), optionId: idParam });
const body = z.object({ option: optionPayload });

const noOptions: Outcome = {
  status: 400,
  message: takesNone,
  when: 'The input is neither `select` nor `multiselect`, or the platform itself decides what can be chosen.',
};

/** Adds an option (platform facts 9.1). Refused as `addAttributeOption`; so is a repeat. */
const addOption = route({
  ...attributeAccess,
  method: 'POST',
  path: '/V1/products/attributes/:attributeCode/options',
  name: 'addOptionToProductAttribute',
  summary: 'Add an option to an attribute of products',
  description: 'The answer is the id of the option, which products have as their value.',
  outcomes: [unknown, noOptions, namelessOption, sameOption, wrongValue],
  examples: [
    { title: 'A colour', params: { attributeCode: 'color' }, body: { option: { label: 'Red' } }, response: '12' },
  ],
  params: ofAttribute,
  body,
  response: z.string(),

  handle: async ({ em, params: { attributeCode }, body: { option } }) =>
    String(await addAttributeOption(em, attributeCode, toOptionDraft(option))),
});

/** Changes an option (platform facts 9.1). Refused as `changeAttributeOption`. A repeat changes nothing. */
const updateOption = route({
  ...attributeAccess,
  method: 'PUT',
  path: '/V1/products/attributes/:attributeCode/options/:optionId',
  name: 'updateOptionOfProductAttribute',
  summary: 'Change an option of an attribute of products',
  description: 'The label is always needed. What else is not sent stays. The id of the path counts, not `value`.',
  outcomes: [unknown, noOptions, unknownOptionId, namelessOption, sameOption, wrongValue],
  examples: [
    {
      title: 'Another label',
      params: { attributeCode: 'color', optionId: 12 },
      body: { option: { label: 'Crimson' } },
      response: true,
    },
  ],
  params: ofOption,
  body,
  response: z.literal(true),

  handle: ({ em, params: { attributeCode, optionId }, body: { option } }) =>
    done(changeAttributeOption(em, attributeCode, { ...toOptionDraft(option), id: optionId })),
});

/** Removes an option. Refused as `removeAttributeOption`; a repeat is a 404. */
const removeOption = route({
  ...attributeAccess,
  method: 'DELETE',
  path: '/V1/products/attributes/:attributeCode/options/:optionId',
  name: 'removeOptionOfProductAttribute',
  summary: 'Remove an option of an attribute of products',
  description: 'Products that have it lose the value. A repeat is a 404.',
  outcomes: [
    unknown,
    noOptions,
    { status: 404, message: noSuchOption, when: 'The attribute has no option of this id.' },
  ],
  examples: [{ title: 'Gone', params: { attributeCode: 'color', optionId: 12 }, response: true }],
  params: ofOption,
  response: z.literal(true),

  handle: ({ em, params: { attributeCode, optionId } }) => done(removeAttributeOption(em, attributeCode, optionId)),
});

/** The options of attributes that the shop decides (platform facts 9.1). */
const attributeOptionRoutes: readonly AnyRoute[] = [addOption, updateOption, removeOption];

const productAttributeBody = z.object({ attribute: attributePayload });

const answer = async ({ em, store }: Pick<RouteContext, 'em' | 'store'>, code: string) =>
  renderProductAttribute(await readProductAttribute(em, code), store.storeId);

/** Creates an attribute of the shop's own (platform facts 9.1). Refused as `createProductAttribute`; so is a repeat. */
const createAttribute = route({
  ...attributeAccess,
  method: 'POST',
  path: '/V1/products/attributes',
  name: 'createAttributeOfProducts',
  summary: 'Create an attribute of products',
  description: `With its options, where its input is \`select\` or \`multiselect\`; each gets an id, whatever \`value\`
    says.
Without \`attribute_code\` the code is made from the label. Without \`scope\` a value holds everywhere.`,
  outcomes: [...refusedCodes, wrongValue, namelessOption],
  examples: [
    {
      title: 'A choice',
      body: {
        attribute: {
          ...{ attribute_code: 'fabric', frontend_input: 'select', default_frontend_label: 'Fabric' },
          options: [{ label: 'Linen' }],
        },
      },
      response: exampleOwnAttribute,
    },
  ],
  body: productAttributeBody,
  response: productAttributeAnswer,

  async handle({ em, store, body: { attribute } }) {
    return answer({ em, store }, await createProductAttribute(em, toAttributeDraft(attribute)));
  },
});

/** Changes an attribute (platform facts 9.1). Refused as `changeProductAttribute`. A repeat changes nothing. */
const updateAttribute = route({
  ...attributeAccess,
  method: 'PUT',
  path: '/V1/products/attributes/:attributeCode',
  name: 'updateAttributeOfProducts',
  summary: 'Change an attribute of products',
  description: `What is not sent stays, options too. An option with the \`value\` or the label of a known one changes
it; any other
is added. Code and input stay as they are; only an attribute that came with a product, and that nobody has named yet,
takes the
input sent. Of an attribute of the platform only labels, options and settings change.`,
  outcomes: [unknown, wrongValue, namelessOption, sameOption, unknownOptionId],
  examples: [
    {
      title: 'Another option',
      params: { attributeCode: 'fabric' },
      body: { attribute: { options: [{ label: 'Linen' }] } },
      response: exampleOwnAttribute,
    },
  ],
  params: ofAttribute,
  body: productAttributeBody,
  response: productAttributeAnswer,

  async handle({ em, store, params: { attributeCode }, body: { attribute } }) {
    await changeProductAttribute(em, attributeCode, toAttributeDraft(attribute));
    return answer({ em, store }, attributeCode);
  },
});

/** Deletes an attribute of the shop's own. Refused as `deleteProductAttribute`; a repeat is a 404. */
const deleteAttribute = route({
  ...attributeAccess,
  method: 'DELETE',
  path: '/V1/products/attributes/:attributeCode',
  name: 'deleteAttributeOfProducts',
  summary: 'Delete an attribute of products',
  description: 'Its options go, and every product loses its value. A repeat is a 404.',
  outcomes: [
    unknown,
    { status: 400, message: attributeIsOfSystem, when: 'The attribute is one of the platform.' },
    { status: 400, message: attributeIsUsed, when: 'Customers choose a configurable product by it.' },
  ],
  examples: [{ title: 'Gone', params: { attributeCode: 'fabric' }, response: true }],
  params: ofAttribute,
  response: z.literal(true),

  handle: ({ em, params: { attributeCode } }) => done(deleteProductAttribute(em, attributeCode)),
});

/** How attributes of products are made, changed and deleted (platform facts 9.1). */
const saveProductAttributeRoutes: readonly AnyRoute[] = [createAttribute, updateAttribute, deleteAttribute];

const types = attributeInputs.map(({ value, label }) => ({ value, label }));

/** The attributes of products (platform facts 3, 9.1). */
const listProductAttributes = listRoute({
  ...attributeAccess,
  path: '/V1/products/attributes',
  name: 'listAttributesOfProducts',
  summary: 'Search the attributes of products',
  description: `Those the platform has from the start, those of the shop, and every one that came with a product.
\`scope\` is \`global\`, \`website\` or
\`store\`: a value that is saved by a store view's path holds so far.`,
  outcomes: [attributeNameNotValid],
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
  ...attributeAccess,
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
  ...attributeAccess,
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
  ...attributeAccess,
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
