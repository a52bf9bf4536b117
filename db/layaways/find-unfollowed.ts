import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../support/query.ts';

/** A layaway that was placed just now is being taken up. */
const quietSeconds = 60;

/** Since the sweep before last: its workflow may not have heard of it. */
const finishedWithinSeconds = 3 * 3_600;

const unfollowedText = `
select entity_id from sales_order
where pos_layaway_status in ('open', 'stale') and pos_layaway_followed_at is null
  and entity_id > $1 and created_at < now() - make_interval(secs => ${quietSeconds})
order by entity_id limit $2`;

const finishedText = `
select entity_id from sales_order
where pos_layaway_followed_at is not null and entity_id > $1
  and updated_at > now() - make_interval(secs => ${finishedWithinSeconds})
  and (pos_layaway_status = 'cancelled' or state = 'canceled'
    or (pos_layaway_status = 'ready_to_settle' and state <> 'pending_payment'))
order by entity_id limit $2`;

export interface LayawayPage {
  /** Orders with an id above this one. */
  after: number;
  limit: number;
}

/** Layaways without a workflow: Temporal was away when they were placed. By an index of just these, ascending. */
export const findUnfollowed = (em: EntityManager, page: LayawayPage): Promise<number[]> =>
  idsOf(em, unfollowedText, page);

/** Layaways that were cancelled or settled lately, here or on the platform. Ascending. */
export const findFinishedLately = (em: EntityManager, page: LayawayPage): Promise<number[]> =>
  idsOf(em, finishedText, page);

async function idsOf(em: EntityManager, text: string, { after, limit }: LayawayPage): Promise<number[]> {
  const rows = await query<{ entity_id: number }>(em, text, [after, limit]);
  return rows.map((row) => row.entity_id);
}
