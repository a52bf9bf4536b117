import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchSchedule, type FollowedSchedule } from '../../domain/content.ts';
import { sql } from '../support/sql.ts';

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
const follow = sql('read-schedules.follow')`
  select s.schedule_id, s.content_id, s.action, s.state, s.due_at, s.refusal, i.kind,
    (extract(epoch from s.due_at - clock_timestamp()) * 1000)::float8 as ms_until_due
  from content_schedule s join content_item i using (content_id) where s.schedule_id = $scheduleId`;

const unfollowed = sql('read-schedules.unfollowed')`
  select schedule_id from content_schedule
  where state = 'pending' and ((followed_at is null and updated_at < now() - interval '1 minute')
    or due_at < now() - interval '1 minute')
  order by due_at limit $limit`;

const pendingOf = sql('read-schedules.pendingOf')`
  select schedule_id from content_schedule where content_id = $contentId and state = 'pending' limit $limit`;

/**
 * Locks the pending schedules of the same content that come before one; those moved or cancelled meanwhile are left
 * out.
 */
export const lockEarlierSchedules = (tx: EntityManager, input: { scheduleId: number; limit: number }) =>
  lockEarlier.all(tx, input);

const lockEarlier = sql('read-schedules.lockEarlier')`
  select e.schedule_id from content_schedule s join content_schedule e using (content_id)
  where s.schedule_id = $scheduleId and e.state = 'pending' and (e.due_at, e.schedule_id) < (s.due_at, s.schedule_id)
  order by e.due_at, e.schedule_id limit $limit for update of e`;

/** Locks a version against the purge, in the caller's transaction; undefined: there is none. */
export const keepVersion = (tx: EntityManager, input: { contentId: number; number: number }) => keep.first(tx, input);

const keep = sql('read-schedules.keep')`
  select number from content_version where content_id = $contentId and number = $number for key share`;
