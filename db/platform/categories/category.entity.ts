import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { setIndex, textIndex } from '../../support/columns.ts';
import { timestamps } from '../../support/shop-clock.ts';

/** A store view's own texts of a category; an absent text is the global one. */
export interface CategoryWords {
  name?: string;
  isActive?: boolean;
  includeInMenu?: boolean;
  customAttributes?: Record<string, unknown>;
}

/**
 * A category of the catalog. 1 is the root, 2 the default shop's. Products store their categories
 * (`product.category_ids`), so a category has no list of products.
 */
export const Category = defineEntity({
  name: 'Category',
  tableName: 'category',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    /** 0 for the root. */
    parentId: p.bigint('number').index(),
    /** The ids from the root to this category, joined by slashes. */
    path: p.string().length(255).unique(),
    level: p.integer(),
    /** Its position among its siblings, from 1. */
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
