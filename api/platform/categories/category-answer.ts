import { z } from 'zod';
import type { CategoryRow } from '../../../db/platform/categories/read-categories.ts';
import { toStockDate } from '../../wire/stock-date.ts';

/** A category as answers have it (platform facts 9.1). */
export const categoryAnswer = z
  .object({
    id: z.int(),
    parent_id: z.int(),
    name: z.string(),
    is_active: z.boolean(),
    position: z.int(),
    level: z.int(),
    children: z.string().meta({ description: 'Ids of its children in their order, joined by commas.' }),
    created_at: z.string(),
    updated_at: z.string(),
    path: z.string(),
    available_sort_by: z.array(z.string()),
    include_in_menu: z.boolean(),
    custom_attributes: z.array(z.object({ attribute_code: z.string(), value: z.unknown() })),
  })
  .meta({ id: 'Category' });

export type CategoryAnswer = z.input<typeof categoryAnswer>;

/** A category with the texts of a view. A text that the view has as null is left out. */
export function renderCategory(row: CategoryRow, storeId: number): CategoryAnswer {
  const words = row.view_words[storeId];
  return {
    id: row.entity_id,
    parent_id: row.parent_id,
    name: words?.name ?? row.name,
    is_active: words?.isActive ?? row.is_active,
    position: row.position,
    level: row.level,
    children: row.children,
    created_at: toStockDate(row.created_at),
    updated_at: toStockDate(row.updated_at),
    path: row.path,
    available_sort_by: [...row.available_sort_by],
    include_in_menu: words?.includeInMenu ?? row.include_in_menu,
    custom_attributes: listed(row.custom_attributes, words?.customAttributes),
  };
}

function listed(attributes: Record<string, unknown>, own: Record<string, unknown> | undefined) {
  const all = own === undefined ? attributes : { ...attributes, ...own };
  const answer: CategoryAnswer['custom_attributes'] = [];
  for (const attribute_code in all) {
    const value = all[attribute_code];
    if (value !== null) answer.push({ attribute_code, value });
  }
  return answer;
}

export const exampleCategory: CategoryAnswer = {
  ...{ id: 3, parent_id: 2, name: 'Tableware', is_active: true, position: 1, level: 2, children: '' },
  ...{ created_at: '2026-11-23 09:30:00', updated_at: '2026-11-23 09:30:00', path: '1/2/3' },
  ...{ available_sort_by: [], include_in_menu: true },
  custom_attributes: [{ attribute_code: 'url_key', value: 'tableware' }],
};
