import type { EntityManager } from '@mikro-orm/postgresql';

/** What one sweep looks at; the next comes a minute later. */
const mostAtOnce = 500;

/** Orders whose points have to be worked out, the oldest first. Reads only, by index. */
export async function findDuePoints(em: EntityManager): Promise<number[]> {
  const rows = await em.execute<{ order_id: number }[]>(
    'select order_id from reward_points_due order by created_at limit ?',
    [mostAtOnce],
  );
  return rows.map(({ order_id }) => order_id);
}
