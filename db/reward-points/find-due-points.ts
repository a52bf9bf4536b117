import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** The most that one sweep takes; the next sweep comes a minute later. */
const mostAtOnce = 500;

/** Orders whose points must be computed, the oldest first. Reads only, by index. */
export async function findDuePoints(em: EntityManager): Promise<number[]> {
  const rows = await read.all(em, { mostAtOnce });
  return rows.map(({ orderId }) => orderId);
}

const read = statement({
  takes: { mostAtOnce: integer },
  gives: { orderId: integer },
  text: 'select order_id from reward_points_due order by created_at limit $mostAtOnce',
});
