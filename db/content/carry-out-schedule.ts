import type { EntityManager } from '@mikro-orm/postgresql';
import type { FollowedSchedule } from '../../domain/content/followed-schedule.ts';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { joined, transact } from '../support/transact.ts';
import { ContentSchedule } from './content-schedule.entity.ts';
import { lockSchedule } from './lock-schedule.ts';
import { publishContent, unpublishContent } from './publish-content.ts';
import { lookAtSchedule } from './read-schedules.ts';
import { lockPublishing } from './lock-publishing.ts';

interface Given {
  scheduleId: number;
  render: RenderContent<EntityManager>;
  now: Date;
}

/** What is left over after an outage is carried out at the next look, which comes at once. */
const mostEarlier = 50;

/**
 * Carries a schedule out when it is due by the database's clock, once; before that it only notes that somebody follows it.
 * What refuses to be published makes it failed, with the reason.
 *
 * Whatever of its content was due before comes first, so that after an outage the last plan has the last word. Of more
 * than 50 such plans the earliest 50 are carried out, and the schedule itself stays pending and due.
 *
 * Refused with: 404 it was deleted, or its content.
 *
 * @returns how it stands now
 */
export const carryOutSchedule = (em: EntityManager, given: Given): Promise<FollowedSchedule> =>
  transact(em, async (tx) => {
    // Whoever deletes the content takes this first, and the schedule after it.
    await lockPublishing(tx);
    const schedule = await lockSchedule(tx, given.scheduleId);
    const { state, kind, msUntilDue } = await lookAtSchedule(tx, given.scheduleId);
    if (state !== 'pending') return lookAtSchedule(tx, given.scheduleId);
    if (msUntilDue > 0) schedule.followedAt ??= given.now;
    else {
      const earlier = await lockEarlier.all(tx, { scheduleId: given.scheduleId, limit: mostEarlier });
      for (const { scheduleId } of earlier)
        await end(tx, { ...given, kind, schedule: await lockSchedule(tx, scheduleId) });
      if (earlier.length < mostEarlier) await end(tx, { ...given, kind, schedule });
    }
    await tx.flush();
    return lookAtSchedule(tx, given.scheduleId);
  });

type Act = Given & { kind: FollowedSchedule['kind']; schedule: ContentSchedule };

async function end(tx: EntityManager, what: Act): Promise<void> {
  tx.assign(what.schedule, { ...(await act(tx, what)), endedAt: what.now });
  await tx.flush();
}

async function act(tx: EntityManager, { kind, schedule, render, now }: Act) {
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

/** One that is moved or called off meanwhile is not among them. */
const lockEarlier = statement({
  takes: { scheduleId: integer, limit: integer },
  gives: of(ContentSchedule, 'scheduleId'),
  text: `select e.schedule_id from content_schedule s join content_schedule e using (content_id)
    where s.schedule_id = $scheduleId and e.state = 'pending' and (e.due_at, e.schedule_id) < (s.due_at, s.schedule_id)
    order by e.due_at, e.schedule_id limit $limit for update of e`,
});
