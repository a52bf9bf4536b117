import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchContent, noSuchSchedule, noSuchVersion, type ContentKind } from '../../domain/content.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import type { SearchField } from '../support/fields.ts';
import { ofEntity, searchesRecords } from '../support/search-records.ts';
import type { Found } from '../support/search.ts';
import { ContentItem, ContentSchedule, ContentVersion } from './content.entity.ts';
import type { ContentRef } from './publish-content.ts';

/** A workflow may change a row between two reads of one request: each read is of the database. */
const asStored = { disableIdentityMap: true } as const;

/** Content as its editors see it: the newest draft. Refused with: 404 unknown id, or content of another kind. */
export async function findContent(em: EntityManager, { kind, contentId }: ContentRef): Promise<ContentItem> {
  const found = await em.findOne(ContentItem, { contentId, kind }, asStored);
  if (!found) throw noSuchContent(kind, contentId);
  return found;
}

/** The kind of content with this id; undefined where it does not exist. */
export const findKind = async (em: EntityManager, contentId: number): Promise<ContentKind | undefined> =>
  (await em.findOne(ContentItem, { contentId }, { fields: ['kind'], ...asStored }))?.kind;

const idOf = { column: 'content_id', type: 'integer' } as const;
const inFields = (key: string) =>
  ({ column: `(${ofEntity}.fields ->> '${key}')`, type: 'text', isNullable: true }) as const;

const contentFields: Readonly<Record<string, SearchField>> = {
  id: idOf,
  content_id: idOf,
  page_id: idOf,
  block_id: idOf,
  identifier: { column: 'identifier', type: 'text' },
  attribute_code: { column: 'identifier', type: 'text' },
  title: { column: 'title', type: 'text' },
  is_active: { column: 'is_active', type: 'boolean' },
  liveview: { column: 'liveview', type: 'boolean' },
  store_id: { column: 'store_id', type: 'integer' },
  product_id: { column: 'product_id', type: 'integer', isNullable: true },
  category_id: { column: 'category_id', type: 'integer', isNullable: true },
  published_version: { column: 'published_number', type: 'integer', isNullable: true },
  creation_time: { column: 'created_at', type: 'timestamp' },
  update_time: { column: 'updated_at', type: 'timestamp' },
  page_layout: inFields('page_layout'),
  sort_order: inFields('sort_order'),
  meta_title: inFields('meta_title'),
  content_heading: inFields('content_heading'),
};

const contentOfKinds = searchesRecords({
  entity: ContentItem,
  fields: contentFields,
  order: 'content_id',
  // Each has its whole text, up to 0.6 MB; larger results are read in pages.
  maxRows: 300,
});

/**
 * Searches content of one kind as its editors see it (platform facts 3, 11): the newest drafts, of every view.
 *
 * Refused with 400: more than 300 at once.
 */
export const searchContent = (
  em: EntityManager,
  { kind, criteria }: { kind: ContentKind; criteria: SearchCriteria },
): Promise<Found<ContentItem>> => contentOfKinds(em, criteria, { kind });

export type VersionRow = Pick<ContentVersion, 'number' | 'title' | 'author' | 'repeats' | 'createdAt'>;

/** The most versions of one answer. */
const mostVersions = 100;

/** Its versions without their texts, newest first, from `before` down: a page of 100. */
export const listVersions = (
  em: EntityManager,
  { contentId, before }: { contentId: number; before: number },
): Promise<VersionRow[]> =>
  em.find(
    ContentVersion,
    { contentId, number: { $lt: before } },
    {
      fields: ['number', 'title', 'author', 'repeats', 'createdAt'],
      orderBy: { number: 'desc' },
      limit: mostVersions,
      ...asStored,
    },
  );

/** One version with its text. Refused with: 404. */
export async function findVersion(
  em: EntityManager,
  { contentId, number }: { contentId: number; number: number },
): Promise<ContentVersion> {
  const version = await em.findOne(ContentVersion, { contentId, number }, asStored);
  if (!version) throw noSuchVersion(number);
  return version;
}

/** One schedule. Refused with: 404. */
export async function findSchedule(em: EntityManager, scheduleId: number): Promise<ContentSchedule> {
  const found = await em.findOne(ContentSchedule, { scheduleId }, asStored);
  if (!found) throw noSuchSchedule(scheduleId);
  return found;
}

/** Searches schedules of all content (platform facts 3). */
export const searchSchedules = searchesRecords({
  entity: ContentSchedule,
  fields: {
    id: { column: 'schedule_id', type: 'integer' },
    schedule_id: { column: 'schedule_id', type: 'integer' },
    content_id: { column: 'content_id', type: 'integer' },
    action: { column: 'action', type: 'code' },
    state: { column: 'state', type: 'code' },
    due_at: { column: 'due_at', type: 'timestamp' },
    created_at: { column: 'created_at', type: 'timestamp' },
    updated_at: { column: 'updated_at', type: 'timestamp' },
  },
  order: 'schedule_id',
});
