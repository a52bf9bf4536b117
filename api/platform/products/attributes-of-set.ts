import { z } from 'zod';
import {
  assignToSet,
  groupOfOther,
  isNotInSet,
  noSetToAssign,
  noSetToLeave,
  noSuchGroup,
  removeFromSet,
} from '../../../db/platform/catalog/attributes-of-set.ts';
import { attributeIsOfSystem } from '../../../db/platform/catalog/delete-product-attribute.ts';
import { readAttributesOfSet, readPicturesOfSet } from '../../../db/platform/catalog/read-attributes-of-set.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { idParam, integer, text } from '../../wire/schemas.ts';
import {
  exampleAttribute,
  examplePicture,
  productAttributeAnswer,
  renderProductAttribute,
} from './attribute-answer.ts';
import { ofSet, setDoor, setOfOthers, unknownSet } from './attribute-sets.ts';
import { unknown } from './attribute-words.ts';

/** The attributes of a set (platform facts 9.1). Refused with: 404 unknown id, or the set of other records. */
const listAttributesOfSet = route({
  ...setDoor,
  method: 'GET',
  path: '/V1/products/attribute-sets/:attributeSetId/attributes',
  name: 'listAttributesOfSet',
  summary: 'List the attributes of a set',
  description: `Group by group, in their order. A product may have a value of another attribute too; the set says which
are asked for.`,
  outcomes: [unknownSet],
  examples: [{ title: 'Of the default one', params: { attributeSetId: 4 }, response: [exampleAttribute] }],
  params: ofSet,
  response: z.array(productAttributeAnswer),

  handle: async ({ em, store, params: { attributeSetId } }) =>
    (await readAttributesOfSet(em, attributeSetId)).map((row) => renderProductAttribute(row, store.storeId)),
});

/** The uses that a picture of a product may have, by its set's name. An unknown name is answered with none. */
const listMediaTypes = route({
  method: 'GET',
  path: '/V1/products/media/types/:attributeSetName',
  acl: 'Platform_Catalog::products',
  name: 'listMediaTypes',
  summary: 'List what pictures of products are used for',
  description: `The attributes of the set that name a picture, such as the thumbnail: their codes are the \`types\` of a
product's pictures.`,
  outcomes: [],
  examples: [{ title: 'Of the default set', params: { attributeSetName: 'Default' }, response: [examplePicture] }],
  params: z.object({ attributeSetName: z.string() }),
  response: z.array(productAttributeAnswer),

  handle: async ({ em, store, params: { attributeSetName } }) =>
    (await readPicturesOfSet(em, attributeSetName)).map((row) => renderProductAttribute(row, store.storeId)),
});

/** Puts an attribute into a set. Refused as `assignToSet`. A repeat changes nothing. */
const assignAttribute = route({
  ...setDoor,
  method: 'POST',
  path: '/V1/products/attribute-sets/attributes',
  name: 'assignAttributeToSet',
  summary: 'Put an attribute into a set',
  description: `Into a group of the set; from another group of it, it moves. Products of the set are then asked for a required
attribute. The answer is the id of its place in the set.`,
  outcomes: [
    { status: 404, message: noSetToAssign, when: 'There is no set of this id.' },
    { status: 404, message: noSuchGroup, when: 'There is no group of this id.' },
    unknown,
    setOfOthers,
    { status: 400, message: groupOfOther, when: 'The group is one of another set.' },
  ],
  examples: [
    {
      title: 'The cost of goods',
      body: { attributeSetId: 4, attributeGroupId: 8, attributeCode: 'cost', sortOrder: 3 },
      response: '12',
    },
  ],
  body: z.object({ attributeSetId: integer, attributeGroupId: idParam, attributeCode: text(255), sortOrder: integer }),
  response: z.string(),
  handle: async ({ em, body }) => String(await assignToSet(em, body)),
});

/** Takes an attribute out of a set. Refused as `removeFromSet`; so is a repeat. */
const unassignAttribute = route({
  ...setDoor,
  method: 'DELETE',
  path: '/V1/products/attribute-sets/:attributeSetId/attributes/:attributeCode',
  name: 'removeAttributeFromSet',
  summary: 'Take an attribute out of a set',
  description:
    'Products keep their values. An attribute of the platform stays, but `cost`, `color` and `manufacturer`.',
  outcomes: [
    { status: 404, message: noSetToLeave, when: 'There is no set of this id.' },
    unknown,
    setOfOthers,
    { status: 400, message: isNotInSet, when: 'The set does not have the attribute.' },
    { status: 400, message: attributeIsOfSystem, when: 'Every set has the attribute.' },
  ],
  examples: [{ title: 'Without cost', params: { attributeSetId: 4, attributeCode: 'cost' }, response: true }],
  params: z.object({ attributeSetId: idParam, attributeCode: z.string() }),
  response: z.literal(true),

  async handle({ em, params }) {
    await removeFromSet(em, params);
    return true as const;
  },
});

/** The attributes of the sets of products (platform facts 9.1). */
export const attributesOfSetRoutes: readonly AnyRoute[] = [
  listAttributesOfSet,
  listMediaTypes,
  assignAttribute,
  unassignAttribute,
];
