import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import {
  contentKinds,
  scheduleActions,
  scheduleStates,
  type ContentFields,
  type RenewalFailure,
} from '../../domain/content.ts';
import { Product } from '../platform/catalog/product.entity.ts';
import { Category } from '../platform/categories/category.entity.ts';
import { partIndex, setIndex, textIndex } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';

/**
 * Progress of rendering the content that contains a changed block. A separate workflow renders a few places at a
 * time. One row per block; the next change of the block starts it again.
 */
export const ContentRenewal = defineEntity({
  name: 'ContentRenewal',
  tableName: 'content_renewal',
  properties: {
    renewalId: p.bigint('number').primary().autoincrement(),
    /** The block's identifier, in any view; `*` for all content with directives. */
    identifier: p.string().length(100).unique(),
    /** The block is no longer shown: content that cannot be rendered without it is emptied. */
    isRemoval: p.boolean(),
    /** How many places contained the block when it changed. */
    places: p.integer(),
    rendered: p.integer().default(0),
    /** How many places could not be rendered. */
    failed: p.integer().default(0),
    /** The id of the last rendered place: places are rendered in the order of their ids. */
    renderedUpTo: p.bigint('number').default(0),
    /**
     * Set when the block changed during rendering: after the last place, rendering starts again with the first one,
     * up to this id. While `until` is above `renderedUpTo`, that second part is running. 0: nothing follows the last
     * place.
     */
    until: p.bigint('number').default(0),
    /** The first places that could not be rendered. */
    failures: p.json<RenewalFailure[]>().defaultRaw(`'[]'::jsonb`),
    startedAt: p.datetime(6).defaultRaw('now()'),
    finishedAt: p.datetime(6).nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'content_renewal_open', properties: ['updatedAt'], where: `"finished_at" is null` },
    { name: 'content_renewal_finished', properties: ['finishedAt'] },
  ],
  checks: [{ name: 'content_renewal_counts', expression: 'rendered >= 0 and failed >= 0 and places >= 0' }],
});

export type ContentRenewal = InferEntity<typeof ContentRenewal>;

/**
 * Counts the transactions that changed public content; one row. Cached answers are valid for one revision.
 *
 * Triggers of the database count every write when its transaction commits.
 */
export const ContentRevision = defineEntity({
  name: 'ContentRevision',
  tableName: 'content_revision',
  properties: {
    revisionId: p.bigint('number').primary(),
    revision: p.bigint('number').default(1),
    /** The last counted transaction: each counts once, however many rows it writes. */
    countedIn: p.bigint('number').default(0),
  },
  checks: [{ name: 'content_revision_one_row', expression: 'revision_id = 1' }],
});

export type ContentRevision = InferEntity<typeof ContentRevision>;

/**
 * Content as its editors see it: the newest draft (spec 4.12). Public reads never use these texts; they use
 * `ContentPublication`.
 */
export const ContentItem = defineEntity({
  name: 'ContentItem',
  tableName: 'content_item',
  properties: {
    contentId: p.bigint('number').primary().autoincrement(),
    kind: p.enum(contentKinds),
    /** A page's URL key, a block's identifier, an attribute's code, or the name of a template or snippet. */
    identifier: p.string().length(100),
    /** Its store view; 0: every view without content of its own. */
    storeId: p.bigint('number').default(0),
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

/** The public text of published content, rendered once. Without a row the content is not published. */
export const ContentPublication = defineEntity({
  name: 'ContentPublication',
  tableName: 'content_publication',
  properties: {
    contentId: () => p.manyToOne(ContentItem).mapToPk().primary().fieldName('content_id').deleteRule('cascade'),
    number: p.integer(),
    title: p.string().length(255),
    /** As its editor wrote it. */
    content: p.text(),
    fields: p.json<ContentFields>().defaultRaw(`'{}'::jsonb`),
    /** Rendered and sanitised. */
    html: p.text(),
    css: p.text(),
    /** Identifiers of the blocks within it. */
    uses: p.array().defaultRaw(`'{}'`),
    publishedBy: p.string().length(255),
    publishedAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [setIndex('content_publication', 'uses')],
});

export type ContentPublication = InferEntity<typeof ContentPublication>;

/**
 * The text of all-view content in a store view where it differs, because of the view's own blocks or settings.
 * Rendered with the publication. A view without a row shows the publication's text.
 */
export const ContentViewText = defineEntity({
  name: 'ContentViewText',
  tableName: 'content_view_text',
  properties: {
    contentId: () => p.manyToOne(ContentPublication).mapToPk().primary().fieldName('content_id').deleteRule('cascade'),
    storeId: p.bigint('number').primary(),
    html: p.text(),
    css: p.text(),
  },
});

export type ContentViewText = InferEntity<typeof ContentViewText>;

/** One saved draft: author, text and time. Its texts never change. */
export const ContentVersion = defineEntity({
  name: 'ContentVersion',
  tableName: 'content_version',
  properties: {
    contentId: () => p.manyToOne(ContentItem).mapToPk().primary().fieldName('content_id').deleteRule('cascade'),
    number: p.integer().primary(),
    title: p.string().length(255),
    content: p.text(),
    css: p.text(),
    fields: p.json<ContentFields>().defaultRaw(`'{}'::jsonb`),
    author: p.string().length(255),
    /** After a rollback: the version whose text it repeats. */
    repeats: p.integer().nullable(),
    /** When it was first published; from then on it is kept for ever. */
    publishedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [{ name: 'content_version_counts_from_one', expression: 'number > 0' }],
});

export type ContentVersion = InferEntity<typeof ContentVersion>;

/** Content to publish or unpublish at a later time; a workflow of its own carries it out (spec 4.12). */
export const ContentSchedule = defineEntity({
  name: 'ContentSchedule',
  tableName: 'content_schedule',
  properties: {
    scheduleId: p.bigint('number').primary().autoincrement(),
    contentId: () => p.manyToOne(ContentItem).mapToPk().fieldName('content_id').deleteRule('cascade').index(),
    action: p.enum(scheduleActions),
    /** The version to publish; null: the newest at that time. */
    number: p.integer().nullable(),
    dueAt: p.datetime(6),
    state: p.enum(scheduleStates).default('pending'),
    author: p.string().length(255),
    /** Why it could not be carried out. */
    refusal: p.text().nullable(),
    endedAt: p.datetime(6).nullable(),
    /** Since when a workflow follows it; null: no workflow does yet. */
    followedAt: p.datetime(6).nullable(),
    revision: p.integer().default(1),
    ...timestamps,
  },
  uniques: [
    {
      name: 'content_schedule_once',
      properties: ['contentId', 'action', 'dueAt'],
      where: `"state" = 'pending'`,
    },
  ],
  indexes: [
    { name: 'content_schedule_pending', properties: ['dueAt'], where: `"state" = 'pending'` },
    { properties: ['dueAt'] },
    { properties: ['createdAt'] },
    { properties: ['updatedAt'] },
  ],
  checks: [
    { name: 'content_schedule_ended_or_pending', expression: `(state = 'pending') = (ended_at is null)` },
    { name: 'content_schedule_version_to_publish', expression: `number is null or action = 'publish'` },
  ],
});

export type ContentSchedule = InferEntity<typeof ContentSchedule>;
