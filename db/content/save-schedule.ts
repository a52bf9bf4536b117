import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import {
  noSuchSchedule,
  noSuchVersion,
  refuseStale,
  scheduleIsOver,
  type ExpectedRevision,
  type ScheduleAction,
} from '../../domain/content.ts';
import { fieldRequired, invalid } from '../../domain/errors.ts';
import { alreadyScheduledThen } from '../../domain/refusals/content.ts';
import { definedFields } from '../support/defined-fields.ts';
import { refuseTaken } from '../support/refuse-taken.ts';
import { shopNow } from '../support/shop-clock.ts';
import { transact } from '../support/transact.ts';
import { ContentSchedule } from './content.entity.ts';
import { keepVersion } from './read-schedules.ts';

/** A schedule under its lock. Refused with: 404. */
export async function lockSchedule(tx: EntityManager, scheduleId: number): Promise<ContentSchedule> {
  const schedule = await tx.findOne(ContentSchedule, { scheduleId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!schedule) throw noSuchSchedule(scheduleId);
  return schedule;
}

export interface ScheduleInput {
  action?: ScheduleAction | undefined;
  /** Null: the newest at that time. */
  number?: number | null | undefined;
  dueAt?: Date | undefined;
}

/**
 * Schedules publishing or unpublishing. The same schedule, sent again while it waits, is one.
 *
 * Refused with: 404 no such version · 400 no action or moment, a version to unpublish, another version at this moment.
 *
 * @param contentId of existing content
 * @returns its id
 */
export async function createSchedule(
  em: EntityManager,
  { contentId, wish, author }: { contentId: number; wish: ScheduleInput; author: string },
): Promise<number> {
  const { action, dueAt, number = null } = wish;
  if (action === undefined) throw fieldRequired('action');
  if (dueAt === undefined) throw fieldRequired('dueAt');
  refuseVersionToTakeBack({ action, number });
  try {
    return await transact(em, async (tx) => {
      await refuseUnknownVersion(tx, contentId, number);
      const schedule = tx.create(ContentSchedule, { contentId, action, number, dueAt, author });
      await tx.flush();
      return schedule.scheduleId;
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    const same = await em.fork().findOne(ContentSchedule, { contentId, action, dueAt, number, state: 'pending' });
    if (!same) throw alreadyScheduledThen();
    return same.scheduleId;
  }
}

/**
 * Changes a waiting schedule. A repeat changes nothing.
 *
 * Refused with: 404 unknown id or version · 400 it is over · 409, 412 it changed since the caller read it.
 */
export async function changeSchedule(
  em: EntityManager,
  plan: { scheduleId: number; wish: ScheduleInput; author: string; expected?: ExpectedRevision | undefined },
): Promise<void> {
  const change = () =>
    transact(em, async (tx) => {
      const schedule = await lockSchedule(tx, plan.scheduleId);
      const input = definedFields(plan.wish);
      const next = { action: schedule.action, number: schedule.number ?? null, dueAt: schedule.dueAt, ...input };
      const isSame =
        next.action === schedule.action &&
        next.number === schedule.number &&
        next.dueAt.getTime() === schedule.dueAt.getTime();
      if (isSame) return;
      if (schedule.state !== 'pending') throw scheduleIsOver(schedule.state);
      refuseStale(plan.expected, { revision: schedule.revision, changedBy: schedule.author });
      refuseVersionToTakeBack(next);
      await refuseUnknownVersion(tx, schedule.contentId, next.number);
      tx.assign(schedule, { ...next, author: plan.author, revision: schedule.revision + 1 });
      await tx.flush();
    });
  await refuseTaken(change, () => alreadyScheduledThen());
}

/** Cancels a waiting schedule; a finished one is unchanged. Refused with: 404. */
export const cancelSchedule = (em: EntityManager, scheduleId: number): Promise<void> =>
  transact(em, async (tx) => {
    const schedule = await lockSchedule(tx, scheduleId);
    if (schedule.state !== 'pending') return;
    tx.assign(schedule, { state: 'cancelled', endedAt: shopNow(), revision: schedule.revision + 1 });
    await tx.flush();
  });

/** Deletes a schedule in any state. Refused with: 404. */
export const deleteSchedule = (em: EntityManager, scheduleId: number): Promise<void> =>
  transact(em, async (tx) => {
    await tx.remove(await lockSchedule(tx, scheduleId)).flush();
  });

function refuseVersionToTakeBack({ action, number }: { action: ScheduleAction; number: number | null }): void {
  if (action === 'unpublish' && number !== null) throw invalid('What is unpublished is not a version of it.');
}

/** The version is locked against the purge until the schedule is committed; after that the schedule protects it. */
async function refuseUnknownVersion(tx: EntityManager, contentId: number, number: number | null): Promise<void> {
  if (number === null) return;
  if (!(await keepVersion(tx, { contentId, number }))) throw noSuchVersion(number);
}
