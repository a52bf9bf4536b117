import { z } from 'zod';
import {
  attributeIsOfSystem,
  attributeIsUsed,
  deleteProductAttribute,
} from '../../../db/platform/catalog/delete-product-attribute.ts';
import { changeProductAttribute, createProductAttribute } from '../../../db/platform/catalog/save-product-attribute.ts';
import { readProductAttribute } from '../../../db/platform/catalog/search-product-attributes.ts';
import { route, type AnyRoute, type RouteContext } from '../../http/route.ts';
import { exampleOwnAttribute, productAttributeAnswer, renderProductAttribute } from './attribute-answer.ts';
import { attributePayload, toAttributeDraft } from './attribute-payload.ts';
import {
  attributeDoor,
  namelessOption,
  ofAttribute,
  refusedCodes,
  sameOption,
  unknown,
  unknownOptionId,
  wrongValue,
} from './attribute-words.ts';

const body = z.object({ attribute: attributePayload });

const answer = async ({ em, store }: Pick<RouteContext, 'em' | 'store'>, code: string) =>
  renderProductAttribute(await readProductAttribute(em, code), store.storeId);

/** Creates an attribute of the shop's own (platform facts 9.1). Refused as `createProductAttribute`; so is a repeat. */
const createAttribute = route({
  ...attributeDoor,
  method: 'POST',
  path: '/V1/products/attributes',
  name: 'createAttributeOfProducts',
  summary: 'Create an attribute of products',
  description: `With its options, where its input is \`select\` or \`multiselect\`; each gets an id, whatever \`value\` says.
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
  body,
  response: productAttributeAnswer,

  async handle({ em, store, body: { attribute } }) {
    return answer({ em, store }, await createProductAttribute(em, toAttributeDraft(attribute)));
  },
});

/** Changes an attribute (platform facts 9.1). Refused as `changeProductAttribute`. A repeat changes nothing. */
const updateAttribute = route({
  ...attributeDoor,
  method: 'PUT',
  path: '/V1/products/attributes/:attributeCode',
  name: 'updateAttributeOfProducts',
  summary: 'Change an attribute of products',
  description: `What is not sent stays, options too. An option with the \`value\` or the label of a known one changes it; any other
is added. Code and input stay as they are; only an attribute that came with a product, and that nobody has named yet, takes the
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
  body,
  response: productAttributeAnswer,

  async handle({ em, store, params: { attributeCode }, body: { attribute } }) {
    await changeProductAttribute(em, attributeCode, toAttributeDraft(attribute));
    return answer({ em, store }, attributeCode);
  },
});

/** Deletes an attribute of the shop's own. Refused as `deleteProductAttribute`; a repeat is a 404. */
const deleteAttribute = route({
  ...attributeDoor,
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

  async handle({ em, params: { attributeCode } }) {
    await deleteProductAttribute(em, attributeCode);
    return true as const;
  },
});

/** How attributes of products are made, changed and deleted (platform facts 9.1). */
export const saveProductAttributeRoutes: readonly AnyRoute[] = [createAttribute, updateAttribute, deleteAttribute];
