import { z } from 'zod';
import {
  deleteAttributeSet,
  setIsDefault,
  setIsUsed,
  notOfProducts,
  changeAttributeSet,
  createAttributeSet,
  nameIsTaken,
  setIsNameless,
  setIsNotSaved,
} from '../../../db/platform/catalog/attributes-of-set.ts';
import { searchEverySet } from '../../../db/platform/catalog/attribute-sets.ts';
import { isOfOthers, readAttributeSet, searchAttributeSets } from '../../../db/platform/catalog/read-attribute-sets.ts';
import { entityTypes, productEntity } from '../../../domain/platform/catalog/product-attributes.ts';
import { invalid, invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { entityTypeNotValid, skeletonSetMissing, skeletonSetNotOfProducts } from '../../../domain/refusals/catalog.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { listRoute } from '../../http/route-kinds.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { fieldsOf, integer, reference, text } from '../../wire/fields.ts';
import { growing, idParam, recordId, text as sentText } from '../../wire/schemas.ts';
import { unknownEntity, invalidField } from '../../wire/outcomes.ts';
import { listOfOne } from '../../wire/criteria.ts';

export const setAccess = { acl: 'Platform_Catalog::sets' } as const;

export const ofSet = z.object({ attributeSetId: idParam });

/** A set; what a read answered may be sent back. */
const set = fieldsOf(
  {
    attribute_set_id: reference(),
    attribute_set_name: text(),
    sort_order: integer(),
    entity_type_id: reference(),
  },
  { sent: 'AttributeSetToSave', answer: 'AttributeSet' },
  growing,
);

const exampleSet = set.render({
  ...{ attribute_set_id: 4, attribute_set_name: 'Default', sort_order: 1, entity_type_id: 4 },
});

const exampleOwnSet = set.render({
  ...{ attribute_set_id: 9, attribute_set_name: 'Shoes', sort_order: 10, entity_type_id: 4 },
});

export const unknownSet: Outcome = unknownEntity('There is no set of this id.');

export const setOfOthers: Outcome = {
  status: 400,
  message: notOfProducts,
  when: 'The set is that of other records, such as customers.',
};

const refusedNames: readonly Outcome[] = [
  { status: 400, message: setIsNameless, when: 'There is no name.' },
  { status: 400, message: nameIsTaken('…'), when: 'A set has the name, in any case of letters.' },
];

const unsavable: Outcome = {
  status: 400,
  message: setIsNotSaved,
  when: 'The name is empty, or another set has it.',
};

const hasId: Outcome = invalidField('An id is sent: a new set has none.');

const refusedDeletes: readonly Outcome[] = [
  { status: 400, message: setIsDefault, when: 'The set is the default one of its records.' },
  { status: 400, message: setIsUsed, when: 'Products have the set.', then: 'Give them another set first.' },
];

/** The attribute sets of products (platform facts 3, 9.1). */
const listAttributeSets = listRoute({
  ...setAccess,
  path: '/V1/products/attribute-sets/sets/list',
  name: 'listAttributeSets',
  summary: 'Search the attribute sets of products',
  description: 'The default one, and those of the shop.',
  outcomes: [attributeNameNotValid],
  examples: [{ title: 'All', query: 'searchCriteria', response: listOfOne(exampleSet) }],
  answer: set.answer,
  find: searchAttributeSets,
  render: set.render,
});

/** The attribute sets of all records (platform facts 3, 9.1). */
const listEverySet = listRoute({
  ...setAccess,
  path: '/V1/eav/attribute-sets/list',
  name: 'listEveryAttributeSet',
  summary: 'Search the attribute sets of all records',
  description: 'Those of products, and the one each of customers, orders and so on. Filter by `entity_type_code`.',
  outcomes: [attributeNameNotValid],
  examples: [{ title: 'All', query: 'searchCriteria', response: listOfOne(exampleSet) }],
  answer: set.answer,
  find: searchEverySet,
  render: set.render,
});

const refusedSkeletons: readonly Outcome[] = [skeletonSetMissing, skeletonSetNotOfProducts];

/** Creates a set from another. Refused as `createAttributeSet`; so is a repeat. */
const createSet = route({
  ...setAccess,
  method: 'POST',
  path: '/V1/products/attribute-sets',
  name: 'createAttributeSet',
  summary: 'Create an attribute set of products',
  description: 'It has the groups and the attributes of the set `skeletonId`, such as 4, the default one.',
  outcomes: [hasId, ...refusedSkeletons, ...refusedNames],
  examples: [
    {
      title: 'Shoes',
      body: { attributeSet: { attribute_set_name: 'Shoes', sort_order: 10 }, skeletonId: 4 },
      response: exampleOwnSet,
    },
  ],
  body: z.object({ attributeSet: set.sent, skeletonId: recordId }),
  response: set.answer,

  async handle({ em, body: { attributeSet, skeletonId } }) {
    const { attributeSetId, attributeSetName: name, sortOrder } = set.draft(attributeSet);
    if (isOfOthers(skeletonId)) throw skeletonSetNotOfProducts();
    if (attributeSetId) throw invalidValue('id', attributeSetId);
    const id = await createAttributeSet(em, { name, sortOrder, skeletonId }, () => skeletonSetMissing());
    return set.render(await readAttributeSet(em, id));
  },
});

/** Creates a set of products from another. Refused as `createAttributeSet`; so is a repeat. */
const createEverySet = route({
  ...setAccess,
  method: 'POST',
  path: '/V1/eav/attribute-sets',
  name: 'createEveryAttributeSet',
  summary: 'Create an attribute set',
  description: 'Products alone may have more than one set: `entityTypeCode` is `catalog_product`.',
  outcomes: [unknownSet, hasId, setOfOthers, entityTypeNotValid, ...refusedNames],
  examples: [
    {
      title: 'Shoes',
      body: {
        entityTypeCode: 'catalog_product',
        attributeSet: { attribute_set_name: 'Shoes', sort_order: 10 },
        skeletonId: 4,
      },
      response: exampleOwnSet,
    },
  ],
  body: z.object({ entityTypeCode: sentText(50), attributeSet: set.sent, skeletonId: recordId }),
  response: set.answer,

  async handle({ em, body: { entityTypeCode, attributeSet, skeletonId } }) {
    const { attributeSetId, attributeSetName: name, sortOrder } = set.draft(attributeSet);
    if (entityTypeCode !== entityTypes[productEntity - 1]) throw entityTypeNotValid([entityTypeCode]);
    if (attributeSetId) throw invalidValue('id', attributeSetId);
    if (skeletonId === 0) throw invalidValue('skeletonId', skeletonId);
    const unknown = () => noSuchEntity('id', skeletonId);
    const id = await createAttributeSet(em, { name, sortOrder, skeletonId }, unknown);
    return set.render(await readAttributeSet(em, id));
  },
});

/** The routes of one set: the addresses of products know sets of products alone (platform facts 9.1). */
interface Address {
  path: `/V1/${string}`;
  /** In the middle of each route's name. */
  noun: string;
  /** At the end of its summary. */
  of: { read: string; change: string };
  says: { read: string; change: string; delete: string };
  productsOnly: boolean;
}

const ofProducts: Address = {
  path: '/V1/products/attribute-sets/:attributeSetId',
  noun: 'AttributeSet',
  of: { read: ' of products', change: ' of products' },
  says: {
    read: 'Its name and its place.',
    change: 'Its name and its place. The id of the path counts. What is not sent stays.',
    delete: 'With its groups. Products are never deleted with it: one that has the set keeps it. A repeat is a 404.',
  },
  productsOnly: true,
};

/** The older addresses. */
const ofAll: Address = {
  path: '/V1/eav/attribute-sets/:attributeSetId',
  noun: 'EveryAttributeSet',
  of: { read: ' of any records', change: '' },
  says: {
    read: 'Its name, its place, and what has it.',
    change: 'As the route of products does.',
    delete: 'As the route of products does.',
  },
  productsOnly: false,
};

/** One set. Refused with: 404 unknown id, 400 the set of other records. */
const readSet = ({ path, noun, of, says, productsOnly }: Address) =>
  route({
    ...setAccess,
    method: 'GET',
    path,
    name: `get${noun}`,
    summary: `Read an attribute set${of.read}`,
    description: says.read,
    outcomes: productsOnly ? [unknownSet, setOfOthers] : [unknownSet],
    examples: [{ title: 'The default one', params: { attributeSetId: 4 }, response: exampleSet }],
    params: ofSet,
    response: set.answer,

    async handle({ em, params: { attributeSetId } }) {
      if (productsOnly && isOfOthers(attributeSetId)) throw invalid(notOfProducts);
      return set.render(await readAttributeSet(em, attributeSetId));
    },
  });

/** Changes a set of products. Refused as `changeAttributeSet`. A repeat changes nothing. */
const changeSet = ({ path, noun, of, says, productsOnly }: Address) =>
  route({
    ...setAccess,
    method: 'PUT',
    path,
    name: `update${noun}`,
    summary: `Change an attribute set${of.change}`,
    description: says.change,
    outcomes: [unknownSet, setOfOthers, unsavable],
    examples: [
      {
        title: 'Another name',
        params: { attributeSetId: 9 },
        body: { attributeSet: { attribute_set_name: 'Shoes', entity_type_id: 4, sort_order: 10 } },
        response: exampleOwnSet,
      },
    ],
    params: ofSet,
    body: z.object({ attributeSet: set.sent }),
    response: set.answer,

    async handle({ em, params: { attributeSetId }, body: { attributeSet } }) {
      const { attributeSetName: name, sortOrder, entityTypeId = productEntity } = set.draft(attributeSet);
      if (productsOnly && entityTypeId !== productEntity) throw invalid(notOfProducts);
      await changeAttributeSet(em, attributeSetId, { name, sortOrder });
      return set.render(await readAttributeSet(em, attributeSetId));
    },
  });

/** Deletes a set without products. Refused as `deleteAttributeSet`; a repeat is a 404. */
const deleteSet = ({ path, noun, of, says, productsOnly }: Address) =>
  route({
    ...setAccess,
    method: 'DELETE',
    path,
    name: `delete${noun}`,
    summary: `Delete an attribute set${of.change}`,
    description: says.delete,
    outcomes: [unknownSet, ...(productsOnly ? [setOfOthers] : []), ...refusedDeletes],
    examples: [{ title: 'Gone', params: { attributeSetId: 9 }, response: true }],
    params: ofSet,
    response: z.literal(true),

    async handle({ em, params: { attributeSetId } }) {
      if (productsOnly && isOfOthers(attributeSetId)) throw invalid(notOfProducts);
      await deleteAttributeSet(em, attributeSetId);
      return true as const;
    },
  });

/** The attribute sets of products, and under their older addresses those of all records (platform facts 9.1). */
export const attributeSetRoutes: readonly AnyRoute[] = [
  listAttributeSets,
  readSet(ofProducts),
  createSet,
  changeSet(ofProducts),
  deleteSet(ofProducts),
  listEverySet,
  readSet(ofAll),
  createEverySet,
  changeSet(ofAll),
  deleteSet(ofAll),
];
