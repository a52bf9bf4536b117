import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search, type Searchable } from '../../support/search.ts';
import { numberOf, textOf } from './attribute-sql.ts';
import { productColumns, type ProductRow } from './read-products.ts';

const searchable: Searchable = {
  table: 'product',
  columns: productColumns,
  fields: {
    entity_id: { column: 'entity_id', type: 'integer' },
    id: { column: 'entity_id', type: 'integer' },
    sku: { column: 'sku', type: 'text' },
    name: { column: 'name', type: 'text' },
    attribute_set_id: { column: 'attribute_set_id', type: 'integer' },
    price: { column: 'price', type: 'decimal' },
    status: { column: 'status', type: 'integer' },
    visibility: { column: 'visibility', type: 'integer' },
    type_id: { column: 'type_id', type: 'code' },
    created_at: { column: 'created_at', type: 'timestamp' },
    updated_at: { column: 'updated_at', type: 'timestamp' },
    tax_class_id: { column: 'tax_class_id', type: 'integer' },
    weight: { column: 'weight', type: 'decimal', isNullable: true },
    barcode: { column: textOf('barcode'), type: 'text', isNullable: true },
    url_key: { column: textOf('url_key'), type: 'text', isNullable: true },
    is_returnable: { column: textOf('is_returnable'), type: 'text', isNullable: true },
    special_price: { column: numberOf('special_price'), type: 'decimal', isNullable: true },
    cost: { column: numberOf('cost'), type: 'decimal', isNullable: true },
    category_ids: { column: 'category_ids', type: 'set' },
    category_id: { column: 'category_ids', type: 'set' },
    website_id: { column: 'website_ids', type: 'set' },
  },
  order: 'entity_id',
};

/**
 * Searches the catalog (platform facts 3, 9.1). The pseudo-fields `store` and `store_id` choose a view's texts, of which
 * we keep one: they restrict nothing.
 */
export const searchProducts = (em: EntityManager, criteria: SearchCriteria) =>
  search<ProductRow>(em, withoutStores(criteria), searchable);

const storeFields: readonly string[] = ['store', 'store_id'];

const withoutStores = (criteria: SearchCriteria): SearchCriteria => ({
  ...criteria,
  groups: criteria.groups.map((group) => group.filter(({ field }) => !storeFields.includes(field))),
});
