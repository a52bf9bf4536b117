import { z } from 'zod';
import { deleteAttributeSet } from '../../../db/platform/catalog/delete-attribute-set.ts';
import { notOfProducts } from '../../../db/platform/catalog/lock-attribute-set.ts';
import { changeAttributeSet, createAttributeSet } from '../../../db/platform/catalog/save-attribute-set.ts';
import {
  isOfOthers,
  readAttributeSet,
  searchAttributeSets,
} from '../../../db/platform/catalog/search-attribute-sets.ts';
import { productEntity } from '../../../domain/platform/catalog/attribute-sets.ts';
import { invalid, invalidValue } from '../../../domain/errors.ts';
import { listRoute } from '../../http/list-route.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { integer } from '../../wire/schemas.ts';
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

/** The attribute sets of products (platform facts 3, 9.1). */
const listAttributeSets = listRoute({
  ...setDoor,
  path: '/V1/products/attribute-sets/sets/list',
  name: 'listAttributeSets',
  summary: 'Search the attribute sets of products',
  description: 'The default one, and those of the shop.',
  outcomes: [unknownField],
  examples: [{ title: 'All', query: 'searchCriteria', response: listOfOne(exampleSet) }],
  answer: setAnswer,
  find: searchAttributeSets,
  render: renderSet,
});

/** One set (platform facts 9.1). Refused with: 404 unknown id · 400 the set of other records. */
const getAttributeSet = route({
  ...setDoor,
  method: 'GET',
  path: '/V1/products/attribute-sets/:attributeSetId',
  name: 'getAttributeSet',
  summary: 'Read an attribute set of products',
  description: 'Its name and its place.',
  outcomes: [unknownSet, setOfOthers],
  examples: [{ title: 'The default one', params: { attributeSetId: 4 }, response: exampleSet }],
  params: ofSet,
  response: setAnswer,

  async handle({ em, params: { attributeSetId } }) {
    if (isOfOthers(attributeSetId)) throw invalid(notOfProducts);
    return renderSet(await readAttributeSet(em, attributeSetId));
  },
});

const noSkeleton = "The attribute set couldn't be created because it's based on a non-existing attribute set.";
const otherSkeleton = "The attribute set couldn't be created because it's based on a non-product attribute set.";

const refusedSkeletons: readonly Outcome[] = [
  { status: 400, message: noSkeleton, when: 'There is no set of the id `skeletonId`.' },
  { status: 400, message: otherSkeleton, when: '`skeletonId` is the set of other records, such as customers.' },
];

/** Creates a set from another. Refused as `createAttributeSet`; so is a repeat. */
const createSet = route({
  ...setDoor,
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
  body: z.object({ attributeSet: setPayload, skeletonId: integer }),
  response: setAnswer,

  async handle({ em, body: { attributeSet, skeletonId } }) {
    const { attributeSetId, attributeSetName: name, sortOrder } = attributeSet;
    if (isOfOthers(skeletonId)) throw invalid(otherSkeleton);
    if (attributeSetId) throw invalidValue('id', attributeSetId);
    const id = await createAttributeSet(em, { name, sortOrder, skeletonId }, () => invalid(noSkeleton));
    return renderSet(await readAttributeSet(em, id));
  },
});

/** Changes a set. Refused as `changeAttributeSet`. A repeat changes nothing. */
const updateSet = route({
  ...setDoor,
  method: 'PUT',
  path: '/V1/products/attribute-sets/:attributeSetId',
  name: 'updateAttributeSet',
  summary: 'Change an attribute set of products',
  description: 'Its name and its place. The id of the path counts. What is not sent stays.',
  outcomes: [unknownSet, setOfOthers, unsavable],
  ...changesSet,

  async handle({ em, params: { attributeSetId }, body: { attributeSet } }) {
    const { attributeSetName: name, sortOrder, entityTypeId = productEntity } = attributeSet;
    if (entityTypeId !== productEntity) throw invalid(notOfProducts);
    await changeAttributeSet(em, attributeSetId, { name, sortOrder });
    return renderSet(await readAttributeSet(em, attributeSetId));
  },
});

/** Deletes a set without products. Refused as `deleteAttributeSet`; a repeat is a 404. */
const deleteSet = route({
  ...setDoor,
  method: 'DELETE',
  path: '/V1/products/attribute-sets/:attributeSetId',
  name: 'deleteAttributeSet',
  summary: 'Delete an attribute set of products',
  description: 'With its groups. Products are never deleted with it: one that has the set keeps it. A repeat is a 404.',
  outcomes: [unknownSet, setOfOthers, ...refusedDeletes],
  ...deletesSet,

  async handle({ em, params: { attributeSetId } }) {
    if (isOfOthers(attributeSetId)) throw invalid(notOfProducts);
    await deleteAttributeSet(em, attributeSetId);
    return true as const;
  },
});

/** The attribute sets of products (platform facts 9.1). */
export const productSetRoutes: readonly AnyRoute[] = [
  listAttributeSets,
  getAttributeSet,
  createSet,
  updateSet,
  deleteSet,
];
