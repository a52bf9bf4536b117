import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search } from '../../support/search.ts';

export interface AttributeSetFound {
  attribute_set_id: number;
  attribute_set_name: string;
  sort_order: number;
}

/** The attribute set of every product without another. */
const defaultSet = 4;

/** One index look-up per set, however many products it has. */
const setsInUse = `
  with recursive used as (
    (select attribute_set_id from product order by attribute_set_id limit 1)
    union all
    select (select p.attribute_set_id from product p where p.attribute_set_id > u.attribute_set_id
            order by p.attribute_set_id limit 1)
    from used u where u.attribute_set_id is not null)
  select attribute_set_id from used where attribute_set_id is not null union select ${defaultSet}`;

/** Searches attribute sets: the default one, and any that a product has (our choice; platform facts 9.1). */
export const searchAttributeSets = (em: EntityManager, criteria: SearchCriteria) =>
  search<AttributeSetFound>(em, criteria, {
    table: `(select attribute_set_id, case attribute_set_id when ${defaultSet} then 'Default'
        else 'Set ' || attribute_set_id end as attribute_set_name, 0 as sort_order from (${setsInUse}) used) s`,
    columns: 'attribute_set_id, attribute_set_name, sort_order',
    fields: {
      attribute_set_id: { column: 'attribute_set_id', type: 'integer' },
      attribute_set_name: { column: 'attribute_set_name', type: 'text' },
      sort_order: { column: 'sort_order', type: 'integer' },
      entity_type_id: { column: '4::integer', type: 'integer' },
    },
    order: 'attribute_set_id',
  });
