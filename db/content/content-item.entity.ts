import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { contentKinds, type ContentFields } from '../../domain/content/content-kind.ts';
import { Category } from '../platform/categories/category.entity.ts';
import { Product } from '../platform/catalog/product.entity.ts';
import { partIndex, textIndex } from '../support/search-indexes.ts';
import { timestamps } from '../support/timestamps.ts';

/**
 * Content as its editors see it: the newest draft (spec 4.12). Nothing public reads these texts; what is shown to
 * everybody is the `ContentPublication`.
 */
export const ContentItem = defineEntity({
  name: 'ContentItem',
  tableName: 'content_item',
  properties: {
    contentId: p.integer().primary().autoincrement(),
    kind: p.enum(contentKinds),
    /** A page's URL key, a block's identifier, an attribute's code, a template's or a snippet's name. */
    identifier: p.string().length(100),
    /** The view it is for; 0: every view that has none of its own. */
    storeId: p.integer().default(0),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').deleteRule('cascade').index().nullable(),
    categoryId: () => p.manyToOne(Category).mapToPk().fieldName('category_id').deleteRule('cascade').index().nullable(),
    /** Switched off, it is not shown, published or not. */
    isActive: p.boolean().default(true),
    /** Off: its texts are answered empty, though it is published (spec 4.12). */
    liveview: p.boolean().default(false),
    title: p.string().length(255),
    content: p.text().default(''),
    css: p.text().default(''),
    fields: p.json<ContentFields>().defaultRaw(`'{}'::jsonb`),
    /** The newest version. */
    draftNumber: p.integer().default(1),
    /** The version that is shown; null: none. */
    publishedNumber: p.integer().nullable(),
    /** One more with each change of any kind: what two editors are told apart by. */
    revision: p.integer().default(1),
    changedBy: p.string().length(255),
    ...timestamps,
  },
  indexes: [
    {
      // One text of a name in a view; nulls count as one value, so that this holds for pages and blocks too.
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
