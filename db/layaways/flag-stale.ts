import type { EntityManager } from '@mikro-orm/postgresql';
import { Order } from '../platform/orders/order.entity.ts';
import { integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import type { LayawayPage } from './find-unfollowed.ts';

/** Adds one comment to the history of each. Its own update locks the row, so timer and job never both write one. */
const flagged = (due: string) => `
with due as (${due}), flagged as (
  update sales_order o set pos_layaway_status = 'stale', updated_at = clock_timestamp()
  from due where o.entity_id = due.entity_id and o.pos_layaway_status = 'open'
  returning o.entity_id, o.status, o.pos_layaway_expires_at
), comments as (
  insert into sales_order_status_history (parent_id, comment, status, created_at)
  select entity_id, 'The layaway expired on ' || to_char(pos_layaway_expires_at at time zone 'UTC', 'YYYY-MM-DD')
    || ' and is overdue. It can still be paid or cancelled.', status, clock_timestamp() from flagged
)
select entity_id from flagged order by entity_id`;

/**
 * An order cancelled on the platform no longer counts. A layaway that owes nothing is not late, although collecting
 * credit due leaves it open (spec 4.6).
 */
const isDue = `pos_layaway_status = 'open' and pos_layaway_expires_at <= now() and state <> 'canceled'
  and total_due is distinct from 0`;

const one = statement({
  takes: { orderId: integer },
  gives: of(Order, 'entityId'),
  text: flagged(`select entity_id from sales_order where entity_id = $orderId and ${isDue} for update`),
});

const batch = statement({
  takes: { after: integer, limit: integer },
  gives: of(Order, 'entityId'),
  text: flagged(
    `select entity_id from sales_order where ${isDue} and entity_id > $after order by entity_id limit $limit for update`,
  ),
});

/**
 * Flags a layaway stale when it is open, overdue and not paid in full, by the clock of the database (spec 3.1);
 * otherwise nothing changes. A repeat changes nothing.
 *
 * @returns whether it was flagged just now
 */
export const flagStale = async (em: EntityManager, orderId: number): Promise<boolean> =>
  (await one.first(em, { orderId })) !== undefined;

/**
 * The same for a batch of all overdue layaways, in one statement, their rows locked in ascending order (spec 6 hourly job).
 *
 * @returns the orders that were flagged, ascending; fewer than `limit` at the end
 */
export const flagStaleBatch = async (em: EntityManager, page: LayawayPage): Promise<number[]> =>
  (await batch.all(em, page)).map(({ entityId }) => entityId);
