import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { entityTypes, productEntity } from '../../../domain/platform/catalog/product-attributes.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { fieldsNamed } from '../../support/fields.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { searchesRecords } from '../../support/search-records.ts';
import type { Found } from '../../support/search.ts';
import { AttributeInSet, AttributeSet } from './product.entity.ts';
import { attributeOf, readProductAttributes, type ProductAttributeFound } from './read-product-attributes.ts';

export interface AttributeSetFound {
  attribute_set_id: number;
  attribute_set_name: string;
  sort_order: number;
  entity_type_id: number;
}

const found = searchesRecords({
  entity: AttributeSet,
  fields: {
    ...fieldsNamed(AttributeSet, {
      ...{ attribute_set_id: 'attributeSetId', attribute_set_name: 'attributeSetName', sort_order: 'sortOrder' },
    }),
    entity_type_id: { column: `${productEntity}::integer`, type: 'integer' },
    entity_type_code: { column: `'${entityTypes[productEntity - 1]}'::text`, type: 'text' },
  },
  order: 'attribute_set_id',
});

/** Searches the attribute sets of products (platform facts 9.1). */
export async function searchAttributeSets(
  em: EntityManager,
  criteria: SearchCriteria,
): Promise<Found<AttributeSetFound>> {
  const { rows, totalCount } = await found(em, criteria);
  return { rows: rows.map(setOf), totalCount };
}

const setOf = ({ attributeSetId, attributeSetName, sortOrder }: AttributeSet): AttributeSetFound => ({
  ...{ attribute_set_id: attributeSetId, attribute_set_name: attributeSetName },
  ...{ sort_order: sortOrder, entity_type_id: productEntity },
});

/** One set of products or of other records. Refused with: 404 unknown id. */
export async function readAttributeSet(em: EntityManager, id: number): Promise<AttributeSetFound> {
  const set = await freshReads(em).findOne(AttributeSet, { attributeSetId: id });
  if (set) return setOf(set);
  if (!isOfOthers(id)) throw noSuchEntity('id', id);
  return { attribute_set_id: id, attribute_set_name: 'Default', sort_order: 1, entity_type_id: id };
}

/** Whether there is a set of products or of other records. */
export const hasAttributeSet = async (em: EntityManager, id: number): Promise<boolean> =>
  isOfOthers(id) || (await freshReads(em).count(AttributeSet, { attributeSetId: id })) > 0;

/** Whether an id is that of the set of other records. */
export const isOfOthers = (id: number): boolean => id >= 1 && id <= entityTypes.length && id !== productEntity;

/**
 * The attributes of a set, group by group, in their order (platform facts 9.1). Refused with: 404 unknown, or the set
 * of other records.
 */
export async function readAttributesOfSet(em: EntityManager, id: number): Promise<ProductAttributeFound[]> {
  const { entity_type_id: type } = await readAttributeSet(em, id);
  if (type !== productEntity) throw noSuchEntity('attributeSetId', id);
  const placed = await freshReads(em).find(
    AttributeInSet,
    { attributeSetId: id },
    {
      fields: ['attributeCode'],
      orderBy: { group: { sortOrder: 'asc', attributeGroupId: 'asc' }, sortOrder: 'asc', entityAttributeId: 'asc' },
    },
  );
  const codes = placed.map(({ attributeCode }) => attributeCode);
  const rows = new Map((await readProductAttributes(em, codes)).map((row) => [row.attributeCode, row]));
  return codes.flatMap((code) => attributeOf(code, rows.get(code)) ?? []);
}

/**
 * The attributes of a set that hold a picture of the product, such as its thumbnail. Without a set of this name, in any
 * case of letters, there are none, as in the platform.
 */
export async function readPicturesOfSet(em: EntityManager, name: string): Promise<ProductAttributeFound[]> {
  const set = await freshReads(em).findOne(AttributeSet, {
    [raw((alias) => `lower(${alias}.attribute_set_name)`)]: raw('lower(?)', [name]),
  });
  const attributes = set ? await readAttributesOfSet(em, set.attributeSetId) : [];
  return attributes.filter(({ frontend_input: input }) => input === 'media_image');
}
