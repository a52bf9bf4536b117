import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { noSuchSchedule } from '../../domain/content/schedule-refusals.ts';
import { ContentSchedule } from './content-schedule.entity.ts';

/** A schedule under its lock. Refused with: 404. */
export async function lockSchedule(tx: EntityManager, scheduleId: number): Promise<ContentSchedule> {
  const schedule = await tx.findOne(ContentSchedule, { scheduleId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!schedule) throw noSuchSchedule(scheduleId);
  return schedule;
}
