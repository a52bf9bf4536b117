import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { productEntity } from '../../../domain/platform/catalog/attribute-sets.ts';
import { integer, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { AttributeInSet } from './attribute-in-set.entity.ts';
import { AttributeSet } from './attribute-set.entity.ts';
import { readAttributeSet } from './search-attribute-sets.ts';
import { searchProductAttributes, type ProductAttributeFound } from './search-product-attributes.ts';

/** More than any set has. */
const mostAttributes = 10_000;

/**
 * The attributes of a set, group by group, in their order (platform facts 9.1). Refused with: 404 unknown, or the set
 * of other records.
 */
export async function readAttributesOfSet(em: EntityManager, id: number): Promise<ProductAttributeFound[]> {
  const { entity_type_id: type } = await readAttributeSet(em, id);
  if (type !== productEntity) throw noSuchEntity('attributeSetId', id);
  const placed = await codesOf.all(em, { id });
  if (placed.length === 0) return [];
  const codes = placed.map(({ attributeCode }) => attributeCode);
  const ofSet = { field: 'attribute_code', value: codes.join(','), condition: 'in' as const };
  const { rows } = await searchProductAttributes(em, {
    ...{ groups: [[ofSet]], sortOrders: [], currentPage: 1, pageSize: mostAttributes, echo: { filter_groups: [] } },
  });
  const places = new Map(codes.map((code, at) => [code, at]));
  const placeOf = ({ attribute_code: code }: ProductAttributeFound) => places.get(code) ?? codes.length;
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/**
 * The attributes of a set that hold a picture of the product, such as its thumbnail. Without a set of this name, in any
 * case of letters, there are none, as in the platform.
 */
export async function readPicturesOfSet(em: EntityManager, name: string): Promise<ProductAttributeFound[]> {
  const set = await setNamed.first(em, { name });
  const attributes = set ? await readAttributesOfSet(em, set.attributeSetId) : [];
  return attributes.filter(({ frontend_input: input }) => input === 'media_image');
}

const setNamed = statement({
  takes: { name: text },
  gives: of(AttributeSet, 'attributeSetId'),
  text: 'select attribute_set_id from attribute_set where lower(attribute_set_name) = lower($name)',
});

const codesOf = statement({
  takes: { id: integer },
  gives: of(AttributeInSet, 'attributeCode'),
  text: `
    select a.attribute_code from attribute_in_set a
    join attribute_group g on g.attribute_group_id = a.attribute_group_id
    where a.attribute_set_id = $id order by g.sort_order, g.attribute_group_id, a.sort_order, a.entity_attribute_id`,
});
