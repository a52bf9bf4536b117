import type { EntityManager } from '@mikro-orm/postgresql';
import { Order } from '../platform/orders/order.entity.ts';
import { integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';

/** A new layaway gets its workflow within this time. */
const quietSeconds = 60;

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

const page = { takes: { after: integer, limit: integer }, gives: of(Order, 'entityId') };

const unfollowed = statement({
  ...page,
  text: `
    select entity_id from sales_order
    where pos_layaway_status in ('open', 'stale') and pos_layaway_followed_at is null
      and entity_id > $after and created_at < now() - make_interval(secs => ${quietSeconds})
    order by entity_id limit $limit`,
});

const finished = statement({
  ...page,
  text: `
    select entity_id from sales_order
    where pos_layaway_followed_at is not null and entity_id > $after
      and updated_at > now() - make_interval(secs => ${finishedWithinSeconds})
      and (pos_layaway_status = 'cancelled' or state = 'canceled'
        or (pos_layaway_status = 'ready_to_settle' and state <> 'pending_payment'))
    order by entity_id limit $limit`,
});
