import { carryOutSchedule } from '../../db/content/carry-out-schedule.ts';
import { lookAtSchedule } from '../../db/content/read-schedules.ts';
import { databaseNow } from '../../db/support/database-now.ts';
import { cancelSchedule } from '../../db/content/save-schedule.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';

export type ContentActivities = ReturnType<typeof createContentActivities>;

export const createContentActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Publishes or unpublishes content that is due, once; otherwise answers how long to wait. See `carryOutSchedule`. */
  carryOutSchedule: ({ scheduleId }: { scheduleId: number }) =>
    orRefused(async () => {
      const now = await databaseNow(orm.em.fork());
      return carryOutSchedule(orm.em, { scheduleId, render: renderContent, now });
    }),

  /** Cancels a schedule that still waits; a finished one is unchanged. Answers its state. */
  cancelSchedule: ({ scheduleId }: { scheduleId: number }) =>
    orRefused(async () => {
      await cancelSchedule(orm.em, scheduleId);
      return lookAtSchedule(orm.em.fork(), scheduleId);
    }),
});
