import type { EntityManager } from '@mikro-orm/postgresql';

export interface Limbo {
  /** Returns whose creation or refund stopped half-way. */
  returnIds: number[];
  /** Attempts nobody knows the end of. */
  attempts: { attemptId: number; orderId: number }[];
}

/** What one sweep looks at; the next comes a minute later. */
const mostAtOnce = 200;

/** Long enough for a flow that is being worked on to have moved. */
const quietSeconds = 30;

/**
 * Returns with unfinished initialisation or an attempt past its deadline, and uncertain attempts: by index, oldest
 * first. Most of them have a workflow that works on them; telling it again is harmless.
 */
export async function findLimbo(em: EntityManager): Promise<Limbo> {
  const rows = await em.execute<{ return_id: number | null; attempt_id: number | null; order_id: number | null }[]>(
    `(select return_id, null::int as attempt_id, null::int as order_id from sale_return
      where is_ready = false and updated_at < now() - make_interval(secs => ?) order by updated_at limit ?)
     union
     (select return_id, null, null from refund_attempt where state = 'started' and return_id is not null
      and coalesce(call_deadline, created_at) < now() - make_interval(secs => ?) order by created_at limit ?)
     union
     (select null, attempt_id, order_id from refund_attempt where state = 'uncertain' order by created_at limit ?)`,
    [quietSeconds, mostAtOnce, quietSeconds, mostAtOnce, mostAtOnce],
  );
  return {
    returnIds: rows.flatMap(({ return_id }) => (return_id === null ? [] : [return_id])),
    attempts: rows.flatMap(({ attempt_id, order_id }) =>
      attempt_id === null || order_id === null ? [] : [{ attemptId: attempt_id, orderId: order_id }],
    ),
  };
}
