import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { entityTypes, productEntity } from '../../../domain/platform/catalog/attribute-sets.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import { statement } from '../../support/statement.ts';
import { AttributeSet } from './attribute-set.entity.ts';

export interface AttributeSetFound {
  attribute_set_id: number;
  attribute_set_name: string;
  sort_order: number;
  entity_type_id: number;
}

const columns = 'attribute_set_id, attribute_set_name, sort_order, entity_type_id';

const ofProducts = `
  select attribute_set_id, attribute_set_name, sort_order, ${productEntity} as entity_type_id from attribute_set`;

/** The sets of other records: each has the one, and nobody changes it. */
const ofOthers = entityTypes
  .map((_, at) => at + 1)
  .filter((id) => id !== productEntity)
  .map((id) => `select ${id}, 'Default', 1, ${id}`)
  .join(' union all ');

const codes = `(array[${entityTypes.map((code) => `'${code}'`).join(', ')}])[entity_type_id]`;

const searched = (table: string) => (em: EntityManager, criteria: SearchCriteria) =>
  search<AttributeSetFound>(em, criteria, {
    table: `(${table}) s`,
    columns,
    fields: {
      attribute_set_id: { column: 'attribute_set_id', type: 'integer' },
      attribute_set_name: { column: 'attribute_set_name', type: 'text' },
      sort_order: { column: 'sort_order', type: 'integer' },
      entity_type_id: { column: 'entity_type_id', type: 'integer' },
      entity_type_code: { column: codes, type: 'text' },
    },
    order: 'attribute_set_id',
  });

/** Searches the attribute sets of products (platform facts 9.1). */
export const searchAttributeSets = searched(ofProducts);

/** Searches the attribute sets of products and of all other records. */
export const searchEverySet = searched(`${ofProducts} union all ${ofOthers}`);

/** One set of products or of other records. Refused with: 404 unknown id. */
export async function readAttributeSet(em: EntityManager, id: number): Promise<AttributeSetFound> {
  const set = await setOf.first(em, { id });
  if (set)
    return {
      ...{ attribute_set_id: id, attribute_set_name: set.attributeSetName },
      ...{ sort_order: set.sortOrder, entity_type_id: productEntity },
    };
  if (!isOfOthers(id)) throw noSuchEntity('id', id);
  return { attribute_set_id: id, attribute_set_name: 'Default', sort_order: 1, entity_type_id: id };
}

/** Whether there is a set of products or of other records. */
export const hasAttributeSet = async (em: EntityManager, id: number): Promise<boolean> =>
  isOfOthers(id) || (await setOf.first(em, { id })) !== undefined;

/** Whether an id is that of the set of other records. */
export const isOfOthers = (id: number): boolean => id >= 1 && id <= entityTypes.length && id !== productEntity;

const setOf = statement({
  takes: { id: integer },
  gives: of(AttributeSet, 'attributeSetName', 'sortOrder'),
  text: 'select attribute_set_name, sort_order from attribute_set where attribute_set_id = $id',
});
