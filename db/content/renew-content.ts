import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import {
  noSuchRenewal,
  type FollowedRenewal,
  type FollowedSchedule,
  type RenderContent,
  type RenewalFailure,
} from '../../domain/content.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { joined, transact } from '../support/transact.ts';
import { ContentRenewal, type ContentSchedule } from './content.entity.ts';
import { lockPublishing, publishContent, unpublishContent } from './publish-content.ts';
import { lockEarlierSchedules, lookAtSchedule } from './read-schedules.ts';
import { readPlaces, renderOrEmpty, renderOrKeep, type Place } from './render-places.ts';
import { lockSchedule } from './save-schedule.ts';

/** How many failures are listed; more are only counted. */
const mostFailures = 20;

/**
 * Renders the next places of a changed block, in one transaction; each shows its old text until the commit. A repeat
 * continues with the next places; a finished renewal changes nothing. Publishing is locked meanwhile, so it stops
 * after the first place beyond its time, but renders at least one.
 *
 * A place that cannot be rendered keeps its old text, or is emptied where the block is no longer shown, and is
 * listed.
 *
 * Refused with: 404 a later change of the block has rendered all of them.
 *
 * @returns the progress
 */
export const renewContent = (
  em: EntityManager,
  { renewalId, render, limit, longestMs, now }: Renewing,
): Promise<FollowedRenewal> =>
  transact(em, async (tx) => {
    await lockPublishing(tx);
    const renewal = await tx.findOne(ContentRenewal, { renewalId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!renewal) throw noSuchRenewal(renewalId);
    if (renewal.finishedAt) return follow(renewal);
    const { identifier, renderedUpTo: after, until, isRemoval } = renewal;
    const isSecondTurn = until > after;
    const timeIsUp = performance.now() + longestMs;
    const places = await readPlaces(tx, { identifier, after, until: isSecondTurn ? until : undefined, limit });
    const rendered: Place[] = [];
    const failures: RenewalFailure[] = [];
    for (const place of places) {
      if (rendered.length > 0 && performance.now() >= timeIsUp) break;
      rendered.push(place);
      const refusal = await (isRemoval ? renderOrEmpty : renderOrKeep)(tx, place, render);
      if (refusal !== undefined) failures.push({ contentId: place.contentId, refusal });
    }
    const isEnd = rendered.length === places.length && places.length < limit;
    const upTo = rendered.at(-1)?.contentId ?? after;
    const isDone = isEnd ? isSecondTurn || until === 0 : isSecondTurn && upTo >= until;
    tx.assign(renewal, {
      rendered: renewal.rendered + rendered.length - failures.length,
      failed: renewal.failed + failures.length,
      renderedUpTo: isEnd && !isDone ? 0 : upTo,
      failures: [...renewal.failures, ...failures].slice(0, mostFailures),
      finishedAt: isDone ? now : null,
    });
    if (isDone) renewal.places = renewal.rendered + renewal.failed;
    await tx.flush();
    return follow(renewal);
  });

interface Renewing {
  renewalId: number;
  render: RenderContent<EntityManager>;
  limit: number;
  longestMs: number;
  now: Date;
}

const follow = ({ renewalId, places, rendered, failed, failures, finishedAt }: ContentRenewal): FollowedRenewal => ({
  renewalId,
  places,
  rendered,
  failed,
  failures,
  isDone: (finishedAt ?? null) !== null,
});

interface Input {
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
export const carryOutSchedule = (em: EntityManager, input: Input): Promise<FollowedSchedule> =>
  transact(em, async (tx) => {
    // Deleting content takes this lock first and the schedule's after it; so does this.
    await lockPublishing(tx);
    const schedule = await lockSchedule(tx, input.scheduleId);
    const { state, kind, msUntilDue } = await lookAtSchedule(tx, input.scheduleId);
    if (state !== 'pending') return lookAtSchedule(tx, input.scheduleId);
    if (msUntilDue > 0) schedule.followedAt ??= input.now;
    else {
      const earlier = await lockEarlierSchedules(tx, { scheduleId: input.scheduleId, limit: mostEarlier });
      for (const { scheduleId } of earlier)
        await applyAndEnd(tx, { ...input, kind, schedule: await lockSchedule(tx, scheduleId) });
      if (earlier.length < mostEarlier) await applyAndEnd(tx, { ...input, kind, schedule });
    }
    await tx.flush();
    return lookAtSchedule(tx, input.scheduleId);
  });

type ScheduleToApply = Input & { kind: FollowedSchedule['kind']; schedule: ContentSchedule };

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
