import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchContent, noSuchSchedule, noSuchVersion, type ContentKind } from '../../domain/content.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { fieldsNamed, type SearchField } from '../support/fields.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { ofEntity, searchesRecords } from '../support/search-records.ts';
import type { Found } from '../support/search.ts';
import { ContentItem, ContentSchedule, ContentVersion } from './content.entity.ts';
import type { ContentRef } from './publish-content.ts';

/** Content as its editors see it: the newest draft. Refused with: 404 unknown id, or content of another kind. */
export async function findContent(em: EntityManager, { kind, contentId }: ContentRef): Promise<ContentItem> {
  const found = await freshReads(em).findOne(ContentItem, { contentId, kind });
  if (!found) throw noSuchContent(kind, contentId);
  return found;
}

/** The kind of content with this id; undefined where it does not exist. */
export const findKind = async (em: EntityManager, contentId: number): Promise<ContentKind | undefined> =>
  (await freshReads(em).findOne(ContentItem, { contentId }, { fields: ['kind'] }))?.kind;

const inFields = (key: string) =>
  ({ column: `(${ofEntity}.fields ->> '${key}')`, type: 'text', isNullable: true }) as const;

const contentFields: Readonly<Record<string, SearchField>> = {
  ...fieldsNamed(ContentItem, {
    ...{ id: 'contentId', content_id: 'contentId', page_id: 'contentId', block_id: 'contentId' },
    ...{ identifier: 'identifier', attribute_code: 'identifier', title: 'title' },
    ...{ is_active: 'isActive', liveview: 'liveview', published_version: 'publishedNumber' },
    ...{ store_id: 'storeId', product_id: 'productId', category_id: 'categoryId' },
    ...{ creation_time: 'createdAt', update_time: 'updatedAt' },
  }),
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
  freshReads(em).find(
    ContentVersion,
    { contentId, number: { $lt: before } },
    {
      fields: ['number', 'title', 'author', 'repeats', 'createdAt'],
      orderBy: { number: 'desc' },
      limit: mostVersions,
    },
  );

/** One version with its text. Refused with: 404. */
export async function findVersion(
  em: EntityManager,
  { contentId, number }: { contentId: number; number: number },
): Promise<ContentVersion> {
  const version = await freshReads(em).findOne(ContentVersion, { contentId, number });
  if (!version) throw noSuchVersion(number);
  return version;
}

/** One schedule. Refused with: 404. */
export async function findSchedule(em: EntityManager, scheduleId: number): Promise<ContentSchedule> {
  const found = await freshReads(em).findOne(ContentSchedule, { scheduleId });
  if (!found) throw noSuchSchedule(scheduleId);
  return found;
}

/** Searches schedules of all content (platform facts 3). */
export const searchSchedules = searchesRecords({
  entity: ContentSchedule,
  fields: {
    ...fieldsNamed(ContentSchedule, {
      ...{ id: 'scheduleId', schedule_id: 'scheduleId', content_id: 'contentId' },
      ...{ due_at: 'dueAt', created_at: 'createdAt', updated_at: 'updatedAt' },
    }),
    action: { column: 'action', type: 'code' },
    state: { column: 'state', type: 'code' },
  },
  order: 'schedule_id',
});
