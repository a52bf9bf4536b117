import type { EntityManager } from '@mikro-orm/postgresql';
import type { FollowedSchedule } from '../../domain/content/followed-schedule.ts';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { joined, transact } from '../support/transact.ts';
import type { ContentSchedule } from './content-schedule.entity.ts';
import { lockSchedule } from './lock-schedule.ts';
import { publishContent, unpublishContent } from './publish-content.ts';
import { lookAtSchedule } from './read-schedules.ts';
import { lockPublishing } from './render-what-uses.ts';

interface Given {
  scheduleId: number;
  render: RenderContent<EntityManager>;
  now: Date;
}

/**
 * Carries a schedule out when it is due by the database's clock, once; before that it only notes that somebody follows it.
 * What refuses to be published makes it failed, with the reason.
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
    else tx.assign(schedule, { ...(await act(tx, { kind, schedule, ...given })), endedAt: given.now });
    await tx.flush();
    return lookAtSchedule(tx, given.scheduleId);
  });

type Act = Given & { kind: FollowedSchedule['kind']; schedule: ContentSchedule };

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
