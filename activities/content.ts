import { lookAtSchedule } from '../db/content/read-schedules.ts';
import { carryOutSchedule, renewContent } from '../db/content/renew-content.ts';
import { cancelSchedule } from '../db/content/save-schedule.ts';
import { databaseNow } from '../db/support/database-now.ts';
import { renderContent } from '../providers/content/render-content-lazily.ts';
import { orRefused, whileAlive, type ActivityDependencies } from './support.ts';

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

export type RenewalActivities = ReturnType<typeof createRenewalActivities>;

/** Rendered in one transaction, while others wait to publish. One long place with many views takes most of a second. */
const atOnce = { limit: 20, longestMs: 300 };

export const createRenewalActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Renders the next places of a changed block; a repeat continues with the following ones. See `renewContent`. */
  renewContent: ({ renewalId }: { renewalId: number }) =>
    whileAlive(() =>
      orRefused(async () => {
        const now = await databaseNow(orm.em.fork());
        return renewContent(orm.em, { renewalId, render: renderContent, ...atOnce, now });
      }),
    ),
});
