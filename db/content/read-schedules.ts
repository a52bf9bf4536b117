import type { EntityManager } from '@mikro-orm/postgresql';
import type { FollowedSchedule } from '../../domain/content/followed-schedule.ts';
import { noSuchSchedule } from '../../domain/content/schedule-refusals.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { columnsOf } from '../support/entity-columns.ts';
import { float, integer, readOne } from '../support/kinds.ts';
import { of, rowOf } from '../support/rows.ts';
import { search, type Found } from '../support/search.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { ContentItem } from './content-item.entity.ts';
import { ContentSchedule } from './content-schedule.entity.ts';

export type ScheduleRow = RowFrom<typeof read>['schedule'];

/** One schedule. Refused with: 404. */
export async function findSchedule(em: EntityManager, scheduleId: number): Promise<ScheduleRow> {
  const found = await read.first(em, { scheduleId });
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

const read = statement({
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

/** Locks the pending schedules of the same content that come before one; those moved or cancelled meanwhile are left out. */
export const lockEarlierSchedules = (tx: EntityManager, given: { scheduleId: number; limit: number }) =>
  lockEarlier.all(tx, given);

const lockEarlier = statement({
  takes: { scheduleId: integer, limit: integer },
  gives: of(ContentSchedule, 'scheduleId'),
  text: `select e.schedule_id from content_schedule s join content_schedule e using (content_id)
    where s.schedule_id = $scheduleId and e.state = 'pending' and (e.due_at, e.schedule_id) < (s.due_at, s.schedule_id)
    order by e.due_at, e.schedule_id limit $limit for update of e`,
});
