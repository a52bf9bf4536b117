import { z } from 'zod';
import { deleteAttributeSet } from '../../../db/platform/catalog/delete-attribute-set.ts';
import { changeAttributeSet, createAttributeSet } from '../../../db/platform/catalog/save-attribute-set.ts';
import { readAttributeSet, searchEverySet } from '../../../db/platform/catalog/search-attribute-sets.ts';
import { entityTypes, productEntity } from '../../../domain/platform/catalog/attribute-sets.ts';
import { invalid, invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { listRoute } from '../../http/list-route.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { integer, text } from '../../wire/schemas.ts';
import { listOfOne, unknownField } from '../../wire/search-criteria.ts';
import {
  changesSet,
  deletesSet,
  exampleOwnSet,
  exampleSet,
  hasId,
  ofSet,
  refusedDeletes,
  refusedNames,
  renderSet,
  setAnswer,
  setDoor,
  setOfOthers,
  setPayload,
  unknownSet,
  unsavable,
} from './attribute-set-words.ts';

/** The attribute sets of all records (platform facts 3, 9.1). */
const listEverySet = listRoute({
  ...setDoor,
  path: '/V1/eav/attribute-sets/list',
  name: 'listEveryAttributeSet',
  summary: 'Search the attribute sets of all records',
  description: 'Those of products, and the one each of customers, orders and so on. Filter by `entity_type_code`.',
  outcomes: [unknownField],
  examples: [{ title: 'All', query: 'searchCriteria', response: listOfOne(exampleSet) }],
  answer: setAnswer,
  find: searchEverySet,
  render: renderSet,
});

/** One set of any records. Refused with: 404 unknown id. */
const getEverySet = route({
  ...setDoor,
  method: 'GET',
  path: '/V1/eav/attribute-sets/:attributeSetId',
  name: 'getEveryAttributeSet',
  summary: 'Read an attribute set of any records',
  description: 'Its name, its place, and what has it.',
  outcomes: [unknownSet],
  examples: [{ title: 'The default one', params: { attributeSetId: 4 }, response: exampleSet }],
  params: ofSet,
  response: setAnswer,
  handle: async ({ em, params: { attributeSetId } }) => renderSet(await readAttributeSet(em, attributeSetId)),
});

const wrongType = 'Invalid entity_type specified: %1';

/** Creates a set of products from another. Refused as `createAttributeSet`; so is a repeat. */
const createEverySet = route({
  ...setDoor,
  method: 'POST',
  path: '/V1/eav/attribute-sets',
  name: 'createEveryAttributeSet',
  summary: 'Create an attribute set',
  description: 'Products alone may have more than one set: `entityTypeCode` is `catalog_product`.',
  outcomes: [
    unknownSet,
    hasId,
    setOfOthers,
    { status: 400, message: wrongType, when: '`entityTypeCode` is another one, or none of the platform.' },
    ...refusedNames,
  ],
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
  body: z.object({ entityTypeCode: text(50), attributeSet: setPayload, skeletonId: integer }),
  response: setAnswer,

  async handle({ em, body: { entityTypeCode, attributeSet, skeletonId } }) {
    const { attributeSetId, attributeSetName: name, sortOrder } = attributeSet;
    if (entityTypeCode !== entityTypes[productEntity - 1]) throw invalid(wrongType, [entityTypeCode]);
    if (attributeSetId) throw invalidValue('id', attributeSetId);
    if (skeletonId === 0) throw invalidValue('skeletonId', skeletonId);
    const unknown = () => noSuchEntity('id', skeletonId);
    const id = await createAttributeSet(em, { name, sortOrder, skeletonId }, unknown);
    return renderSet(await readAttributeSet(em, id));
  },
});

/** Changes a set of products. Refused as `changeAttributeSet`. A repeat changes nothing. */
const updateEverySet = route({
  ...setDoor,
  method: 'PUT',
  path: '/V1/eav/attribute-sets/:attributeSetId',
  name: 'updateEveryAttributeSet',
  summary: 'Change an attribute set',
  description: 'As the route of products does.',
  outcomes: [unknownSet, setOfOthers, unsavable],
  ...changesSet,

  async handle({ em, params: { attributeSetId }, body: { attributeSet } }) {
    const { attributeSetName: name, sortOrder } = attributeSet;
    await changeAttributeSet(em, attributeSetId, { name, sortOrder });
    return renderSet(await readAttributeSet(em, attributeSetId));
  },
});

/** Deletes a set without products. Refused as `deleteAttributeSet`; a repeat is a 404. */
const deleteEverySet = route({
  ...setDoor,
  method: 'DELETE',
  path: '/V1/eav/attribute-sets/:attributeSetId',
  name: 'deleteEveryAttributeSet',
  summary: 'Delete an attribute set',
  description: 'As the route of products does.',
  outcomes: [unknownSet, ...refusedDeletes],
  ...deletesSet,

  async handle({ em, params: { attributeSetId } }) {
    await deleteAttributeSet(em, attributeSetId);
    return true as const;
  },
});

/** The addresses of attribute sets that are older than those of products (platform facts 9.1). */
export const eavAttributeSetRoutes: readonly AnyRoute[] = [
  listEverySet,
  getEverySet,
  createEverySet,
  updateEverySet,
  deleteEverySet,
];
