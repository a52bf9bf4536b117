import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import type { FollowedRenewal, RenewalFailure } from '../../domain/content/followed-renewal.ts';
import { noSuchRenewal } from '../../domain/content/content-refusals.ts';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { transact } from '../support/transact.ts';
import { ContentRenewal } from './content-renewal.entity.ts';
import { lockPublishing } from './lock-publishing.ts';
import { readPlaces, renderOrEmpty, renderOrKeep, type Place } from './render-places.ts';

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
