import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalid, noSuchEntity, notFound } from '../../../domain/errors.ts';
import { largestId } from '../../../domain/ids.ts';
import { groupCodeOf, isFixedInSets } from '../../../domain/platform/catalog/attribute-sets.ts';
import { isOfPlatform } from '../../../domain/platform/catalog/product-attributes.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search, type Found } from '../../support/search.ts';
import { transact } from '../../support/transact.ts';
import { AttributeGroup } from './attribute-group.entity.ts';
import { AttributeInSet } from './attribute-in-set.entity.ts';
import { noSuchGroup } from './attributes-of-set.ts';
import { lockAttributeSet } from './lock-attribute-set.ts';
import { hasAttributeSet } from './search-attribute-sets.ts';

export const groupIsOfAnother = "The attribute group doesn't belong to the provided attribute set.";
export const groupIsNotSaved = "The attributeGroup can't be saved.";
export const groupIsOfSystem = "The attribute group can't be deleted because it contains system attributes.";

export interface AttributeGroupFound {
  attribute_group_id: number;
  attribute_group_name: string;
  attribute_set_id: number;
  attribute_group_code: string;
  sort_order: number;
}

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
export const saveAttributeGroup = (em: EntityManager, draft: GroupDraft): Promise<AttributeGroupFound> =>
  transact(em, async (tx) => {
    const { attributeSetId, attributeGroupId } = draft;
    await lockAttributeSet(tx, attributeSetId, () => noSuchEntity('attributeSetId', attributeSetId));
    const known = attributeGroupId ? await tx.findOne(AttributeGroup, { attributeGroupId }) : undefined;
    if (known === null) throw noSuchEntity('attributeGroupId', attributeGroupId);
    if (known && known.attributeSetId !== attributeSetId) throw invalid(groupIsOfAnother);
    const name = draft.name === undefined ? known?.attributeGroupName : draft.name.trim();
    if (!name) throw invalid(groupIsNotSaved);
    const code = draft.code || known?.attributeGroupCode || groupCodeOf(name);
    const others = await tx.find(AttributeGroup, { attributeSetId });
    const isTaken = others.some(
      (one) => one !== known && (isSame(one.attributeGroupName, name) || one.attributeGroupCode === code),
    );
    if (isTaken) throw invalid(groupIsNotSaved);
    const group =
      known ??
      tx.create(AttributeGroup, { attributeSetId, attributeGroupName: name, attributeGroupCode: code, sortOrder: 0 });
    tx.assign(group, {
      ...{ attributeGroupName: name, attributeGroupCode: code },
      sortOrder: draft.sortOrder ?? group.sortOrder,
    });
    await tx.flush();
    return foundOf(group);
  });

/** Names are compared without regard to case, as on the platform. */
const isSame = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();

const foundOf = (group: AttributeGroup): AttributeGroupFound => ({
  ...{ attribute_group_id: group.attributeGroupId, attribute_group_name: group.attributeGroupName },
  ...{ attribute_set_id: group.attributeSetId, attribute_group_code: group.attributeGroupCode },
  sort_order: group.sortOrder,
});

/**
 * Deletes a group. The shop's attributes in it leave the set, and products keep their values. A repeat finds nothing.
 *
 * Refused with: 404 unknown · 400 a group with attributes that every set has.
 */
export const deleteAttributeGroup = (em: EntityManager, attributeGroupId: number): Promise<void> =>
  transact(em, async (tx) => {
    const unknown = () => notFound(noSuchGroup, [attributeGroupId]);
    const group = await tx.findOne(AttributeGroup, { attributeGroupId });
    if (!group) throw unknown();
    await lockAttributeSet(tx, group.attributeSetId, unknown);
    const placed = await tx.find(AttributeInSet, { attributeGroupId });
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
): Promise<Found<AttributeGroupFound>> {
  const asked = criteria.groups.flat().find(({ field }) => field === 'attribute_set_id');
  if (asked?.value) await refuseUnknownSet(em, asked.value);
  const found = await search<AttributeGroupFound>(em, criteria, {
    table: 'attribute_group',
    columns: 'attribute_group_id, attribute_group_name, attribute_set_id, attribute_group_code, sort_order',
    fields: {
      attribute_group_id: { column: 'attribute_group_id', type: 'integer' },
      attribute_group_name: { column: 'attribute_group_name', type: 'text' },
      attribute_group_code: { column: 'attribute_group_code', type: 'text' },
      attribute_set_id: { column: 'attribute_set_id', type: 'integer' },
      sort_order: { column: 'sort_order', type: 'integer' },
    },
    order: 'sort_order, attribute_group_id',
  });
  if (!asked?.value) throw fieldRequired('attribute_set_id');
  return found;
}

async function refuseUnknownSet(em: EntityManager, asked: string): Promise<void> {
  const id = Number(asked);
  const isKnown = Number.isSafeInteger(id) && id <= largestId && (await hasAttributeSet(em, id));
  if (!isKnown) throw noSuchEntity('attributeSetId', asked);
}
