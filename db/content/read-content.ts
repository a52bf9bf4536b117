import type { EntityManager } from '@mikro-orm/postgresql';
import type { ContentKind } from '../../domain/content/content-kind.ts';
import { noSuchContent, noSuchVersion } from '../../domain/content/content-refusals.ts';
import { integer, text } from '../support/kinds.ts';
import { of, rowOf } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { ContentItem } from './content-item.entity.ts';
import { ContentVersion } from './content-version.entity.ts';
import type { ContentRef } from './lock-content.ts';

export type ContentRow = RowFrom<typeof read>['item'];
export type VersionRow = RowFrom<typeof readVersions>;

/** Content as its editors see it: the newest draft. Refused with: 404 unknown id, or content of another kind. */
export async function findContent(em: EntityManager, { kind, contentId }: ContentRef): Promise<ContentRow> {
  const found = await read.first(em, { kind, contentId });
  if (!found) throw noSuchContent(kind, contentId);
  return found.item;
}

/** The kind of content with this id; undefined where it does not exist. */
export const findKind = async (em: EntityManager, contentId: number): Promise<ContentKind | undefined> =>
  (await readKind.first(em, { contentId }))?.kind;

/** The most versions of one answer. */
const mostVersions = 100;

/** Its versions without their texts, newest first, from `before` down: a page of 100. */
export const listVersions = (
  em: EntityManager,
  { contentId, before }: { contentId: number; before: number },
): Promise<VersionRow[]> => readVersions.all(em, { contentId, before, limit: mostVersions });

/** One version with its text. Refused with: 404. */
export async function findVersion(em: EntityManager, given: { contentId: number; number: number }) {
  const version = await readVersion.first(em, given);
  if (!version) throw noSuchVersion(given.number);
  return version;
}

const item = rowOf(ContentItem, 'i');

const read = statement({
  takes: { kind: text, contentId: integer },
  gives: { item },
  text: `select ${item.columns} from content_item i where i.content_id = $contentId and i.kind = $kind`,
});

const readKind = statement({
  takes: { contentId: integer },
  gives: of(ContentItem, 'kind'),
  text: 'select kind from content_item where content_id = $contentId',
});

const readVersions = statement({
  takes: { contentId: integer, before: integer, limit: integer },
  gives: of(ContentVersion, 'number', 'title', 'author', 'repeats', 'createdAt'),
  text: `select number, title, author, repeats, created_at from content_version
    where content_id = $contentId and number < $before order by number desc limit $limit`,
});

const readVersion = statement({
  takes: { contentId: integer, number: integer },
  gives: of(ContentVersion, 'number', 'title', 'content', 'css', 'fields', 'author', 'repeats', 'createdAt'),
  text: `select number, title, content, css, fields, author, repeats, created_at from content_version
    where content_id = $contentId and number = $number`,
});

/** Locks a version against the purge, in the caller's transaction; undefined: there is none. */
export const keepVersion = (tx: EntityManager, given: { contentId: number; number: number }) => keep.first(tx, given);

const keep = statement({
  takes: { contentId: integer, number: integer },
  gives: { number: integer },
  text: 'select number from content_version where content_id = $contentId and number = $number for key share',
});
