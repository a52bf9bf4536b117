import type { EntityManager } from '@mikro-orm/postgresql';
import type { FollowedSchedule } from '../../domain/content/followed-schedule.ts';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { joined, transact } from '../support/transact.ts';
import type { ContentSchedule } from './content-schedule.entity.ts';
import { lockSchedule } from './lock-schedule.ts';
import { publishContent, unpublishContent } from './publish-content.ts';
import { lockEarlierSchedules, lookAtSchedule } from './read-schedules.ts';
import { lockPublishing } from './lock-publishing.ts';

interface Given {
  scheduleId: number;
  render: RenderContent<EntityManager>;
  now: Date;
}

/** The next run, which follows at once, carries out the rest after an outage. */
const mostEarlier = 50;

/**
 * Carries out a schedule once, when it is due by the database's clock. Before that it only records that a workflow
 * follows it. When publishing is refused, the schedule becomes failed, with the reason.
 *
 * Earlier due schedules of the same content come first, so that after an outage the last one decides. Of more than 50
 * such schedules the earliest 50 are carried out, and this one stays pending and due.
 *
 * Refused with: 404 the schedule or its content was deleted.
 *
 * @returns its present state
 */
export const carryOutSchedule = (em: EntityManager, given: Given): Promise<FollowedSchedule> =>
  transact(em, async (tx) => {
    // Deleting content takes this lock first and the schedule's after it; so does this.
    await lockPublishing(tx);
    const schedule = await lockSchedule(tx, given.scheduleId);
    const { state, kind, msUntilDue } = await lookAtSchedule(tx, given.scheduleId);
    if (state !== 'pending') return lookAtSchedule(tx, given.scheduleId);
    if (msUntilDue > 0) schedule.followedAt ??= given.now;
    else {
      const earlier = await lockEarlierSchedules(tx, { scheduleId: given.scheduleId, limit: mostEarlier });
      for (const { scheduleId } of earlier)
        await applyAndEnd(tx, { ...given, kind, schedule: await lockSchedule(tx, scheduleId) });
      if (earlier.length < mostEarlier) await applyAndEnd(tx, { ...given, kind, schedule });
    }
    await tx.flush();
    return lookAtSchedule(tx, given.scheduleId);
  });

type ScheduleToApply = Given & { kind: FollowedSchedule['kind']; schedule: ContentSchedule };

async function applyAndEnd(tx: EntityManager, what: ScheduleToApply): Promise<void> {
  tx.assign(what.schedule, { ...(await applySchedule(tx, what)), endedAt: what.now });
  await tx.flush();
}

async function applySchedule(tx: EntityManager, { kind, schedule, render, now }: ScheduleToApply) {
  const { contentId, action, author, number } = schedule;
  const what = { kind, contentId, author, render, now };
  try {
    if (action === 'unpublish') await unpublishContent(joined(tx), what);
    else await publishContent(joined(tx), { ...what, number: number ?? undefined });
    return { state: 'done' } as const;
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    return { state: 'failed', refusal: inWords(error.refusal) } as const;
  }
}
