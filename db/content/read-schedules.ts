import type { EntityManager } from '@mikro-orm/postgresql';
import {
  noSuchContent,
  noSuchSchedule,
  noSuchVersion,
  type ContentKind,
  type FollowedSchedule,
} from '../../domain/content.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { columnsOf, float, integer, readOne, text } from '../support/entity-columns.ts';
import { of, rowOf } from '../support/rows.ts';
import { search, type Found } from '../support/search.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { ContentItem, ContentSchedule, ContentVersion } from './content.entity.ts';
import type { ContentRef } from './publish-content.ts';

export type ScheduleRow = RowFrom<typeof selectSchedules>['schedule'];

/** One schedule. Refused with: 404. */
export async function findSchedule(em: EntityManager, scheduleId: number): Promise<ScheduleRow> {
  const found = await selectSchedules.first(em, { scheduleId });
  if (!found) throw noSuchSchedule(scheduleId);
  return found.schedule;
}

/** A schedule for its workflow. Refused with: 404. */
export async function lookAtSchedule(em: EntityManager, scheduleId: number): Promise<FollowedSchedule> {
  const found = await follow.first(em, { scheduleId });
  if (!found) throw noSuchSchedule(scheduleId);
  return { ...found, dueAt: found.dueAt.toISOString(), msUntilDue: Math.max(0, Math.ceil(found.msUntilDue)) };
}

/** Pending schedules that no workflow follows after a minute, or that are a minute overdue; the most overdue first. */
export const findUnfollowedSchedules = async (em: EntityManager, { limit }: { limit: number }): Promise<number[]> =>
  (await unfollowed.all(em, { limit })).map(({ scheduleId }) => scheduleId);

/** Pending schedules of content; an editor makes only a few. */
export const findPendingSchedules = async (em: EntityManager, contentId: number): Promise<number[]> =>
  (await pendingOf.all(em, { contentId, limit: mostNamed })).map(({ scheduleId }) => scheduleId);

const mostNamed = 50;
const columns = columnsOf(ContentSchedule);

/** Searches schedules of all content (platform facts 3). */
export async function searchSchedules(em: EntityManager, criteria: SearchCriteria): Promise<Found<ScheduleRow>> {
  const { rows, totalCount } = await search<Record<string, unknown>>(em, criteria, {
    table: 'content_schedule',
    columns: columns.map(({ name }) => name).join(', '),
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
  return { rows: rows.map(readSchedule), totalCount };
}

function readSchedule(wire: Record<string, unknown>): ScheduleRow {
  const row: Record<string, unknown> = {};
  for (const { key, name, kind } of columns) row[key] = readOne(name, kind, wire[name]);
  return row as ScheduleRow;
}

const schedule = rowOf(ContentSchedule, 's');

const selectSchedules = statement({
  takes: { scheduleId: integer },
  gives: { schedule },
  text: `select ${schedule.columns} from content_schedule s where s.schedule_id = $scheduleId`,
});

const follow = statement({
  takes: { scheduleId: integer },
  gives: {
    ...of(ContentSchedule, 'scheduleId', 'contentId', 'action', 'state', 'dueAt', 'refusal'),
    ...of(ContentItem, 'kind'),
    msUntilDue: float,
  },
  text: `select s.schedule_id, s.content_id, s.action, s.state, s.due_at, s.refusal, i.kind,
      (extract(epoch from s.due_at - clock_timestamp()) * 1000)::float8 as ms_until_due
    from content_schedule s join content_item i using (content_id) where s.schedule_id = $scheduleId`,
});

const unfollowed = statement({
  takes: { limit: integer },
  gives: of(ContentSchedule, 'scheduleId'),
  text: `select schedule_id from content_schedule
    where state = 'pending' and ((followed_at is null and updated_at < now() - interval '1 minute')
      or due_at < now() - interval '1 minute')
    order by due_at limit $limit`,
});

const pendingOf = statement({
  takes: { contentId: integer, limit: integer },
  gives: of(ContentSchedule, 'scheduleId'),
  text: `select schedule_id from content_schedule where content_id = $contentId and state = 'pending' limit $limit`,
});

/**
 * Locks the pending schedules of the same content that come before one; those moved or cancelled meanwhile are left
 * out.
 */
export const lockEarlierSchedules = (tx: EntityManager, input: { scheduleId: number; limit: number }) =>
  lockEarlier.all(tx, input);

const lockEarlier = statement({
  takes: { scheduleId: integer, limit: integer },
  gives: of(ContentSchedule, 'scheduleId'),
  text: `select e.schedule_id from content_schedule s join content_schedule e using (content_id)
    where s.schedule_id = $scheduleId and e.state = 'pending' and (e.due_at, e.schedule_id) < (s.due_at, s.schedule_id)
    order by e.due_at, e.schedule_id limit $limit for update of e`,
});

export type ContentRow = RowFrom<typeof readContent>['item'];
export type VersionRow = RowFrom<typeof readVersions>;

/** Content as its editors see it: the newest draft. Refused with: 404 unknown id, or content of another kind. */
export async function findContent(em: EntityManager, { kind, contentId }: ContentRef): Promise<ContentRow> {
  const found = await readContent.first(em, { kind, contentId });
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
export async function findVersion(em: EntityManager, input: { contentId: number; number: number }) {
  const version = await readVersion.first(em, input);
  if (!version) throw noSuchVersion(input.number);
  return version;
}

const item = rowOf(ContentItem, 'i');

const readContent = statement({
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
export const keepVersion = (tx: EntityManager, input: { contentId: number; number: number }) => keep.first(tx, input);

const keep = statement({
  takes: { contentId: integer, number: integer },
  gives: { number: integer },
  text: 'select number from content_version where content_id = $contentId and number = $number for key share',
});
