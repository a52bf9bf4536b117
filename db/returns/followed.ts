import type { EntityManager } from '@mikro-orm/postgresql';
import { openStatuses } from '../../domain/returns/return-status.ts';
import { sql } from '../support/sql.ts';
import { Return } from './return.entity.ts';

/**
 * Which returns a workflow follows: `followed_at` says so. A terminated workflow, a lost Temporal or a restored backup
 * leaves a row that says so wrongly; housekeeping finds those.
 */

const isOpen = `status in (${openStatuses.map((status) => `'${status}'`).join(', ')})`;

/**
 * Called by the workflow of a return whenever it reads the row: an open return is followed from now on, a terminal one
 * no longer. A repeat changes nothing.
 */
export async function markFollowed(em: EntityManager, returnId: number): Promise<void> {
  await mark.run(em, { returnId });
}

const mark = sql('followed.mark')`
  update sale_return set followed_at = case when ${isOpen} then clock_timestamp() end
  where return_id = $returnId and (followed_at is null) = (${isOpen})`;

/** A return whose workflow is to be started. */
export type ReturnToFollow = Pick<Return, 'returnId' | 'incrementId' | 'orderId'> & { orderIncrementId: string };

/** Open returns without a workflow, by a partial index. */
export async function findUnfollowedReturns(em: EntityManager, page: { limit: number }): Promise<ReturnToFollow[]> {
  return unfollowed.all(em, page);
}

const unfollowed = sql('followed.unfollowed')`
  select r.return_id, r.increment_id, r.order_id, o.increment_id as order_increment_id
  from (select return_id, increment_id, order_id from sale_return
    where followed_at is null and ${isOpen} order by return_id limit $limit) r
  join sales_order o on o.entity_id = r.order_id order by r.return_id`;

/** Terminal returns whose workflow may not know it, by a partial index. */
export const findOverButFollowed = async (em: EntityManager, page: { limit: number }): Promise<number[]> =>
  (await overButFollowed.all(em, page)).map(({ returnId }) => returnId);

const overButFollowed = sql('followed.overButFollowed')`
  select return_id from sale_return where followed_at is not null and not (${isOpen})
  order by return_id limit $limit`;

/**
 * Says of open returns that no workflow follows them, so that the minute's sweep starts one. Where one runs after all,
 * it is told to read the row, which marks it again.
 *
 * @returns how many there were
 */
export const unfollow = (em: EntityManager, returnIds: readonly number[]): Promise<number> =>
  unfollowThese.run(em, { returnIds });

const unfollowThese = sql('followed.unfollowThese')`
  update sale_return set followed_at = null
  where return_id = any($returnIds) and followed_at is not null and ${isOpen}`;

/** The same for all: the books are a copy, or Temporal is another one. */
export const unfollowAll = (em: EntityManager): Promise<number> => unfollowEvery.run(em);

const unfollowEvery = sql('followed.unfollowEvery')`
  update sale_return set followed_at = null where followed_at is not null and ${isOpen}`;

export interface IdPage {
  /** Ids above this one. */
  after: number;
  limit: number;
}

/** How many open returns say that a workflow follows them. */
export const countFollowed = async (em: EntityManager): Promise<number> => (await countThem.first(em))?.followed ?? 0;

const countThem = sql('followed.countThem')`
  select count(*) as followed from sale_return where followed_at is not null and ${isOpen}`;

/** Their ids, ascending. */
export const findFollowed = async (em: EntityManager, page: IdPage): Promise<number[]> =>
  (await followed.all(em, page)).map(({ returnId }) => returnId);

const followed = sql('followed.followed')`
  select return_id from sale_return where followed_at is not null and ${isOpen} and return_id > $after
  order by return_id limit $limit`;
