import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { contentKinds, type ContentFields } from '../../domain/content/content-kind.ts';
import { Category } from '../platform/categories/category.entity.ts';
import { Product } from '../platform/catalog/product.entity.ts';
import { partIndex, textIndex } from '../support/search-indexes.ts';
import { timestamps } from '../support/timestamps.ts';

/**
 * Content as its editors see it: the newest draft (spec 4.12). Public reads never use these texts; they use
 * `ContentPublication`.
 */
export const ContentItem = defineEntity({
  name: 'ContentItem',
  tableName: 'content_item',
  properties: {
    contentId: p.integer().primary().autoincrement(),
    kind: p.enum(contentKinds),
    /** A page's URL key, a block's identifier, an attribute's code, or the name of a template or snippet. */
    identifier: p.string().length(100),
    /** Its store view; 0: every view without content of its own. */
    storeId: p.integer().default(0),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').deleteRule('cascade').index().nullable(),
    categoryId: () => p.manyToOne(Category).mapToPk().fieldName('category_id').deleteRule('cascade').index().nullable(),
    /** When false it is not shown, even if published. */
    isActive: p.boolean().default(true),
    /** When false its texts are answered as empty, though it is published (spec 4.12). */
    liveview: p.boolean().default(false),
    title: p.string().length(255),
    content: p.text().default(''),
    css: p.text().default(''),
    fields: p.json<ContentFields>().defaultRaw(`'{}'::jsonb`),
    /** The newest version. */
    draftNumber: p.integer().default(1),
    /** The version that is shown; null: none. */
    publishedNumber: p.integer().nullable(),
    /** Increases with every change of any kind: it tells two editors' changes apart. */
    revision: p.integer().default(1),
    changedBy: p.string().length(255),
    ...timestamps,
  },
  indexes: [
    {
      // One text per name and view; nulls count as equal, so that this holds for pages and blocks too.
      name: 'content_item_one_per_view',
      expression: `create unique index "content_item_one_per_view" on "content_item"
        ("kind", "identifier", "store_id", "product_id", "category_id") nulls not distinct`,
    },
    { name: 'content_item_of_kind', properties: ['kind', 'contentId'] },
    textIndex('content_item', 'identifier', '"identifier"', ['kind']),
    textIndex('content_item', 'title', '"title"', ['kind']),
    { properties: ['createdAt'] },
    { properties: ['updatedAt'] },
    partIndex('content_item', 'identifier'),
    partIndex('content_item', 'title'),
  ],
  checks: [
    {
      name: 'content_item_belongs_where_its_kind_says',
      expression: `(product_id is not null) = (kind = 'product_attribute')
        and (category_id is not null) = (kind = 'category_attribute')`,
    },
    {
      name: 'content_item_shows_a_version_it_has',
      expression: 'published_number is null or (published_number >= 1 and published_number <= draft_number)',
    },
  ],
});

export type ContentItem = InferEntity<typeof ContentItem>;
