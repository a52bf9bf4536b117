import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity, notFound } from '../../../domain/errors.ts';
import { defaultSet, isFixedInSets } from '../../../domain/platform/catalog/attribute-sets.ts';
import { isOfPlatform } from '../../../domain/platform/catalog/product-attributes.ts';
import { transact } from '../../support/transact.ts';
import { AttributeGroup } from './attribute-group.entity.ts';
import { AttributeInSet } from './attribute-in-set.entity.ts';
import { copySet, hasProducts, hasSameName, putIntoSet } from './attribute-set-rows.ts';
import { AttributeSet } from './attribute-set.entity.ts';
import { attributeIsOfSystem } from './delete-product-attribute.ts';
import { isOfOthers } from './search-attribute-sets.ts';
import { findProductAttribute } from './search-product-attributes.ts';

export const notOfProducts = 'Provided Attribute set non product Attribute set.';

/**
 * Locks a set of products, so that its groups and attributes change one after another. Products may be saved meanwhile.
 *
 * Refused with: what `unknown` says, usually 404 · 400 the set of other records.
 */
export async function lockAttributeSet(
  tx: EntityManager,
  attributeSetId: number,
  unknown: () => Error = () => noSuchEntity('id', attributeSetId),
): Promise<AttributeSet> {
  if (isOfOthers(attributeSetId)) throw invalid(notOfProducts);
  const set = await tx.findOne(AttributeSet, { attributeSetId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!set) throw unknown();
  return set;
}

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

export const noSetToAssign = 'The AttributeSet with a "%1" ID doesn\'t exist. Verify the attributeSet and try again.';
export const noSetToLeave = 'The "%1" attribute set wasn\'t found. Verify and try again.';
export const noSuchGroup = 'The group with the "%1" ID doesn\'t exist. Verify the ID and try again.';
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
    if (!group) throw notFound(noSuchGroup, [attributeGroupId]);
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
