import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalid, noSuchEntity, notFound } from '../../../domain/errors.ts';
import { largestId } from '../../../domain/ids.ts';
import {
  defaultSet,
  groupCodeOf,
  isFixedInSets,
  isOfPlatform,
} from '../../../domain/platform/catalog/product-attributes.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { attributeGroupNotFound, attributeGroupNotSaved } from '../../../domain/refusals/catalog.ts';
import { searchFieldsOf } from '../../support/fields.ts';
import { searchesRecords } from '../../support/search-records.ts';
import type { Found } from '../../support/search.ts';
import { transact } from '../../support/transact.ts';
import { attributeIsOfSystem } from './attribute-options.ts';
import { copySet, hasProducts, hasSameName, putIntoSet } from './attribute-sets.ts';
import { AttributeGroup, AttributeInSet, AttributeSet } from './product.entity.ts';
import { hasAttributeSet, isOfOthers } from './read-attribute-sets.ts';
import { findProductAttribute } from './read-product-attributes.ts';

export const notOfProducts = 'Provided Attribute set non product Attribute set.';

/**
 * Locks a set of products, so that its groups and attributes change one after another. Products may be saved meanwhile.
 *
 * Refused with: what `unknown` says, usually 404 · 400 the set of other records.
 */
async function lockAttributeSet(
  tx: EntityManager,
  attributeSetId: number,
  unknown: () => Error = () => noSuchEntity('id', attributeSetId),
): Promise<AttributeSet> {
  if (isOfOthers(attributeSetId)) throw invalid(notOfProducts);
  const set = await tx.findOne(AttributeSet, { attributeSetId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!set) throw unknown();
  return set;
}

export const noSetToAssign = 'The AttributeSet with a "%1" ID doesn\'t exist. Verify the attributeSet and try again.';
export const noSetToLeave = 'The "%1" attribute set wasn\'t found. Verify and try again.';
export const groupOfOther = "The attribute group doesn't belong to the attribute set.";
export const isNotInSet =
  'The "%1" attribute wasn\'t found in the "%2" attribute set. Enter the attribute and try again.';

interface Place {
  attributeSetId: number;
  attributeGroupId: number;
  attributeCode: string;
  sortOrder: number;
}

/**
 * Puts an attribute into a group of a set, or from another group of the set into this one (platform facts 9.1). A
 * repeat changes nothing.
 *
 * Refused with: 404 unknown set, group or attribute · 400 the group of another set, the set of other records.
 *
 * @returns the id of the attribute's place in the set, which stays
 */
export const assignToSet = (em: EntityManager, place: Place): Promise<number> =>
  transact(em, async (tx) => {
    const { attributeSetId, attributeGroupId } = place;
    await lockAttributeSet(tx, attributeSetId, () => notFound(noSetToAssign, [attributeSetId]));
    const group = await tx.findOne(AttributeGroup, { attributeGroupId });
    if (!group) throw attributeGroupNotFound([attributeGroupId]);
    if (group.attributeSetId !== attributeSetId) throw invalid(groupOfOther);
    const { attribute_code: attributeCode } = await findProductAttribute(tx, place.attributeCode);
    const placed = await putIntoSet(tx, { ...place, attributeCode });
    if (!placed) throw new Error(`${attributeCode} has no place in the set ${attributeSetId}.`);
    return placed.id;
  });

/**
 * Takes an attribute out of a set. Its products keep their values (our choice: the platform deletes them). A repeat is
 * refused.
 *
 * Refused with: 404 unknown set or attribute · 400 an attribute that is not in the set, one that every set has, the set
 * of other records.
 */
export const removeFromSet = (
  em: EntityManager,
  { attributeSetId, attributeCode: code }: Pick<Place, 'attributeSetId' | 'attributeCode'>,
): Promise<void> =>
  transact(em, async (tx) => {
    await lockAttributeSet(tx, attributeSetId, () => notFound(noSetToLeave, [attributeSetId]));
    const { attribute_code: attributeCode } = await findProductAttribute(tx, code);
    const place = await tx.findOne(AttributeInSet, { attributeSetId, attributeCode });
    if (!place) throw invalid(isNotInSet, [code, attributeSetId]);
    if (isOfPlatform(attributeCode) && isFixedInSets(attributeCode)) throw invalid(attributeIsOfSystem);
    tx.remove(place);
    await tx.flush();
  });

export const setIsDefault = "The default attribute set can't be deleted.";
export const setIsUsed = "The attribute set couldn't be deleted.";

/**
 * Deletes a set without products, with its groups (our choice: the platform deletes its products). A repeat finds
 * nothing.
 *
 * Refused with: 404 unknown · 400 a default set, or one that products have. A product that is saved into it at the
 * same time wins or waits: the lock is also the one that its foreign key takes.
 */
export const deleteAttributeSet = (em: EntityManager, id: number): Promise<void> =>
  transact(em, async (tx) => {
    if (id === defaultSet || isOfOthers(id)) throw invalid(setIsDefault);
    const set = await lockAttributeSet(tx, id);
    if (await hasProducts(tx, id)) throw invalid(setIsUsed);
    tx.remove(set);
    await tx.flush();
  });

export const setIsNameless = 'The attribute set name is empty. Enter the name and try again.';
export const setIsNotSaved = "The attribute set couldn't be saved.";

/** Already with the name: the platform does not send it as a parameter. */
export const nameIsTaken = (name: string) =>
  `A "${name}" attribute set name already exists. Create a new name and try again.`;

interface SetDraft {
  name?: string | undefined;
  sortOrder?: number | undefined;
}

/**
 * Creates a set with the groups and the attributes of another (platform facts 9.1). A repeat is refused, because its
 * name is taken; of eight concurrent ones, one is carried out.
 *
 * Refused with: what `unknown` says for the other set · 400 no name, or one that a set has in any case of letters.
 *
 * @returns its id
 */
export const createAttributeSet = (
  em: EntityManager,
  { skeletonId, name: sent = '', sortOrder = 0 }: SetDraft & { skeletonId: number },
  unknown: () => Error,
): Promise<number> =>
  transact(em, async (tx) => {
    const name = sent.trim();
    await lockAttributeSet(tx, skeletonId, unknown);
    if (!name) throw invalid(setIsNameless);
    if (await isTaken(tx, name, 0)) throw invalid(nameIsTaken(name));
    const made = await copySet(tx, { skeletonId, name, sortOrder });
    if (made === undefined) throw invalid(nameIsTaken(name));
    return made;
  });

/**
 * Changes the name and the place of a set. A repeat changes nothing. Refused with: 404 unknown · 400 the set of other
 * records, or a name that is empty or that another set has.
 */
export const changeAttributeSet = (em: EntityManager, id: number, { name, sortOrder }: SetDraft): Promise<void> =>
  transact(em, async (tx) => {
    const set = await lockAttributeSet(tx, id);
    set.sortOrder = sortOrder ?? set.sortOrder;
    if (name !== undefined) {
      if (!name.trim() || (await isTaken(tx, name.trim(), id))) throw invalid(setIsNotSaved);
      set.attributeSetName = name.trim();
    }
    await tx.flush();
  });

/**
 * Names that differ in case alone are one name. They are taken one after another: the default set, which is always
 * there, is locked last of all.
 */
async function isTaken(tx: EntityManager, name: string, butOf: number): Promise<boolean> {
  await tx.findOneOrFail(AttributeSet, { attributeSetId: defaultSet }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return hasSameName(tx, { name, butOf });
}

export const groupIsOfAnother = "The attribute group doesn't belong to the provided attribute set.";
export const groupIsOfSystem = "The attribute group can't be deleted because it contains system attributes.";

/** A group as a caller sends it; on a change, absent fields stay. */
export interface GroupDraft {
  attributeSetId: number;
  /** Absent: a new group. */
  attributeGroupId?: number | undefined;
  name?: string | undefined;
  code?: string | undefined;
  sortOrder?: number | undefined;
}

/**
 * Creates a group of a set, or changes the one with this id (platform facts 9.1). A repeat of a change changes nothing;
 * a repeat of a creation is refused, because the name is taken.
 *
 * Refused with: 404 unknown set or group · 400 the group of another set, no name, a name or code that another group of
 * the set has, the set of other records.
 */
export const saveAttributeGroup = (em: EntityManager, draft: GroupDraft): Promise<AttributeGroup> =>
  transact(em, async (tx) => {
    const { attributeSetId, attributeGroupId } = draft;
    await lockAttributeSet(tx, attributeSetId, () => noSuchEntity('attributeSetId', attributeSetId));
    const known = attributeGroupId ? await tx.findOne(AttributeGroup, { attributeGroupId }) : undefined;
    if (known === null) throw noSuchEntity('attributeGroupId', attributeGroupId);
    if (known && known.attributeSetId !== attributeSetId) throw invalid(groupIsOfAnother);
    const name = draft.name === undefined ? known?.attributeGroupName : draft.name.trim();
    if (!name) throw attributeGroupNotSaved();
    const code = draft.code || known?.attributeGroupCode || groupCodeOf(name);
    const others = await tx.find(AttributeGroup, { attributeSetId });
    const isTaken = others.some(
      (one) => one !== known && (isSame(one.attributeGroupName, name) || one.attributeGroupCode === code),
    );
    if (isTaken) throw attributeGroupNotSaved();
    const group =
      known ??
      tx.create(AttributeGroup, { attributeSetId, attributeGroupName: name, attributeGroupCode: code, sortOrder: 0 });
    tx.assign(group, {
      ...{ attributeGroupName: name, attributeGroupCode: code },
      sortOrder: draft.sortOrder ?? group.sortOrder,
    });
    await tx.flush();
    return group;
  });

/** Names are compared without regard to case, as on the platform. */
const isSame = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();

/**
 * Deletes a group. The shop's attributes in it leave the set, and products keep their values. A repeat finds nothing.
 *
 * Refused with: 404 unknown · 400 a group with attributes that every set has.
 */
export const deleteAttributeGroup = (em: EntityManager, attributeGroupId: number): Promise<void> =>
  transact(em, async (tx) => {
    const unknown = () => attributeGroupNotFound([attributeGroupId]);
    const group = await tx.findOne(AttributeGroup, { attributeGroupId });
    if (!group) throw unknown();
    await lockAttributeSet(tx, group.attributeSetId, unknown);
    const placed = await tx.find(AttributeInSet, { group });
    if (placed.some(({ attributeCode: code }) => isOfPlatform(code) && isFixedInSets(code)))
      throw invalid(groupIsOfSystem);
    if ((await tx.nativeDelete(AttributeGroup, { attributeGroupId })) === 0) throw unknown();
  });

/**
 * The groups of one set, in their order (platform facts 9.1). Refused with: 400 no filter by `attribute_set_id`, or by
 * another field that does not exist · 404 unknown set.
 */
export async function searchAttributeGroups(
  em: EntityManager,
  criteria: SearchCriteria,
): Promise<Found<AttributeGroup>> {
  const request = criteria.groups.flat().find(({ field }) => field === 'attribute_set_id');
  if (request?.value) await refuseUnknownSet(em, request.value);
  const found = await groupsOfSets(em, criteria);
  if (!request?.value) throw fieldRequired('attribute_set_id');
  return found;
}

const groupsOfSets = searchesRecords({
  entity: AttributeGroup,
  fields: searchFieldsOf(AttributeGroup),
  order: 'sort_order, attribute_group_id',
});

async function refuseUnknownSet(em: EntityManager, request: string): Promise<void> {
  const id = Number(request);
  const isKnown = Number.isSafeInteger(id) && id <= largestId && (await hasAttributeSet(em, id));
  if (!isKnown) throw noSuchEntity('attributeSetId', request);
}
