import { carryOutSchedule } from '../../db/content/carry-out-schedule.ts';
import { findUnfollowedSchedules, lookAtSchedule } from '../../db/content/read-schedules.ts';
import { cancelSchedule } from '../../db/content/save-schedule.ts';
import { renderContent } from '../../providers/content/render-content.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';

export type ContentActivities = ReturnType<typeof createContentActivities>;

export const createContentActivities = ({ orm, clock }: Pick<ActivityDependencies, 'orm' | 'clock'>) => ({
  /** Publishes or takes back what is due, once; else tells how long it is until then. See `carryOutSchedule`. */
  carryOutSchedule: ({ scheduleId }: { scheduleId: number }) =>
    orRefused(() => carryOutSchedule(orm.em, { scheduleId, render: renderContent, now: clock() })),

  /** Calls a schedule off that waits; one that is over stays. Answers how it stands then. */
  cancelSchedule: ({ scheduleId }: { scheduleId: number }) =>
    orRefused(async () => {
      await cancelSchedule(orm.em, scheduleId);
      return lookAtSchedule(orm.em.fork(), scheduleId);
    }),

  /** Schedules that wait and that no workflow seems to follow. Reads only. */
  findUnfollowedSchedules: (page: { limit: number }) => findUnfollowedSchedules(orm.em.fork(), page),
});
