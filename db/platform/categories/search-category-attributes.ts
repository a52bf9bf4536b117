import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search } from '../../support/search.ts';

export interface CategoryAttributeRow {
  attribute_id: number;
  attribute_code: string;
  frontend_input: string;
  backend_type: string;
  is_required: boolean;
  default_frontend_label: string;
}

/** The platform's category attributes; others cannot be added. */
const attributes = [
  [1, 'name', 'text', 'varchar', true, 'Name'],
  [2, 'is_active', 'select', 'int', true, 'Is Active'],
  [3, 'description', 'textarea', 'text', false, 'Description'],
  [4, 'image', 'image', 'varchar', false, 'Image'],
  [5, 'meta_title', 'text', 'varchar', false, 'Page Title'],
  [6, 'meta_keywords', 'textarea', 'text', false, 'Meta Keywords'],
  [7, 'meta_description', 'textarea', 'text', false, 'Meta Description'],
  [8, 'display_mode', 'select', 'varchar', false, 'Display Mode'],
  [9, 'landing_page', 'select', 'int', false, 'CMS Block'],
  [10, 'is_anchor', 'select', 'int', false, 'Is Anchor'],
  [11, 'path', 'text', 'static', false, 'Path'],
  [12, 'position', 'text', 'static', false, 'Position'],
  [13, 'url_key', 'text', 'varchar', false, 'URL Key'],
  [14, 'children_count', 'text', 'static', false, 'Children Count'],
  [15, 'include_in_menu', 'select', 'int', true, 'Include in Navigation Menu'],
  [16, 'available_sort_by', 'multiselect', 'text', true, 'Available Product Listing Sort By'],
  [17, 'default_sort_by', 'select', 'varchar', true, 'Default Product Listing Sort By'],
] as const;

const rows = attributes
  .map(
    ([id, code, input, type, isRequired, label]) =>
      `(${id}, '${code}', '${input}', '${type}', ${isRequired}, '${label}')`,
  )
  .join(', ');

/** Searches the attributes of categories (platform facts 3, 9.1). */
export const searchCategoryAttributes = (em: EntityManager, criteria: SearchCriteria) =>
  search<CategoryAttributeRow>(em, criteria, {
    table: `(values ${rows})
      a(attribute_id, attribute_code, frontend_input, backend_type, is_required, default_frontend_label)`,
    columns: 'attribute_id, attribute_code, frontend_input, backend_type, is_required, default_frontend_label',
    fields: {
      attribute_id: { column: 'attribute_id', type: 'integer' },
      attribute_code: { column: 'attribute_code', type: 'text' },
      frontend_input: { column: 'frontend_input', type: 'text' },
      backend_type: { column: 'backend_type', type: 'text' },
      is_required: { column: 'is_required', type: 'boolean' },
    },
    order: 'attribute_id',
  });
