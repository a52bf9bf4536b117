import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { setIndex, textIndex } from '../../support/search-indexes.ts';
import { timestamps } from '../../support/timestamps.ts';

/** What a store view says of a category in its own words; what is missing is as everywhere. */
export interface CategoryWords {
  name?: string;
  isActive?: boolean;
  includeInMenu?: boolean;
  customAttributes?: Record<string, unknown>;
}

/**
 * A category of the catalog. 1 is the root of all, 2 the default shop's; products name the categories they are in
 * (`product.category_ids`), so a category keeps no list of them.
 */
export const Category = defineEntity({
  name: 'Category',
  tableName: 'category',
  properties: {
    entityId: p.integer().primary().autoincrement(),
    /** 0 above the root. */
    parentId: p.integer().index(),
    /** The ids from the root down to itself, joined by slashes. */
    path: p.string().length(255).unique(),
    level: p.integer(),
    /** Among its siblings, from 1. */
    position: p.integer(),
    name: p.string().length(255),
    isActive: p.boolean().default(true),
    includeInMenu: p.boolean().default(true),
    availableSortBy: p.array().defaultRaw(`'{}'`),
    customAttributes: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    /** By the store view's id. */
    viewWords: p.json<Record<string, CategoryWords>>().defaultRaw(`'{}'::jsonb`),
    ...timestamps,
  },
  indexes: [
    { properties: ['level'] },
    { properties: ['createdAt'] },
    { properties: ['updatedAt'] },
    textIndex('category', 'name'),
    textIndex('category', 'url_key', `"custom_attributes" ->> 'url_key'`),
    setIndex('category', 'available_sort_by'),
  ],
  checks: [{ name: 'category_level_of_its_path', expression: `level = length(path) - length(replace(path, '/', ''))` }],
});

export type Category = InferEntity<typeof Category>;
