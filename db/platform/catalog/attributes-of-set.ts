import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, notFound } from '../../../domain/errors.ts';
import { isFixedInSets } from '../../../domain/platform/catalog/attribute-sets.ts';
import { isOfPlatform } from '../../../domain/platform/catalog/product-attributes.ts';
import { transact } from '../../support/transact.ts';
import { AttributeGroup } from './attribute-group.entity.ts';
import { putIntoSet } from './attribute-set-rows.ts';
import { AttributeInSet } from './attribute-in-set.entity.ts';
import { attributeIsOfSystem } from './delete-product-attribute.ts';
import { lockAttributeSet } from './lock-attribute-set.ts';
import { findProductAttribute } from './search-product-attributes.ts';

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
