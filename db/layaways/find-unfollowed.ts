import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/** A new layaway gets its workflow within this time. */
const quietSeconds = 10;

/** Covers the last two sweeps: the layaway's workflow may not know its end. */
const finishedWithinSeconds = 3 * 3_600;

export interface LayawayPage {
  /** Orders with an id above this one. */
  after: number;
  limit: number;
}

/** Layaways without a workflow, because Temporal was away when they were placed. By a partial index, ascending. */
export const findUnfollowed = async (em: EntityManager, page: LayawayPage): Promise<number[]> =>
  (await unfollowed.all(em, page)).map(({ entityId }) => entityId);

/** Layaways that were cancelled or settled recently, here or on the platform. Ascending. */
export const findFinishedLately = async (em: EntityManager, page: LayawayPage): Promise<number[]> =>
  (await finished.all(em, page)).map(({ entityId }) => entityId);

const unfollowed = sql('find-unfollowed.unfollowed')`
  select entity_id from sales_order
  where pos_layaway_status in ('open', 'stale') and pos_layaway_followed_at is null
    and entity_id > $after and created_at < now() - make_interval(secs => ${quietSeconds})
  order by entity_id limit $limit`;

const finished = sql('find-unfollowed.finished')`
  select entity_id from sales_order
  where pos_layaway_followed_at is not null and entity_id > $after
    and updated_at > now() - make_interval(secs => ${finishedWithinSeconds})
    and (pos_layaway_status = 'cancelled' or state = 'canceled'
      or (pos_layaway_status = 'ready_to_settle' and state <> 'pending_payment'))
  order by entity_id limit $limit`;

/** Not paid yet, and said to have a workflow. */
const waits = `pos_layaway_status in ('open', 'stale') and state <> 'canceled' and pos_layaway_followed_at is not null`;

/**
 * Says of open layaways that no workflow follows them, so that the minute's sweep starts one.
 *
 * @returns how many there were
 */
export const unfollowLayaways = (em: EntityManager, orderIds: readonly number[]): Promise<number> =>
  unfollowThese.run(em, { orderIds });

const unfollowThese = sql('find-unfollowed.unfollowThese')`
  update sales_order set pos_layaway_followed_at = null where entity_id = any($orderIds) and ${waits}`;

/** The same for all: the books are a copy, or Temporal is another one. */
export const unfollowAllLayaways = (em: EntityManager): Promise<number> => unfollowEvery.run(em);

const unfollowEvery = sql('find-unfollowed.unfollowEvery')`
  update sales_order set pos_layaway_followed_at = null where ${waits}`;

/** How many open layaways say that a workflow follows them. */
export const countFollowedLayaways = async (em: EntityManager): Promise<number> =>
  (await countThem.first(em))?.followed ?? 0;

const countThem = sql('find-unfollowed.countThem')`select count(*) as followed from sales_order where ${waits}`;

/** The orders of these, ascending. */
export const findFollowedLayaways = async (em: EntityManager, input: LayawayPage): Promise<number[]> =>
  (await followed.all(em, input)).map(({ entityId }) => entityId);

const followed = sql('find-unfollowed.followed')`
  select entity_id from sales_order where ${waits} and entity_id > $after order by entity_id limit $limit`;
