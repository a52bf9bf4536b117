import type { EntityManager } from '@mikro-orm/postgresql';

export interface Limbo {
  /** Returns whose creation or refund stopped half-way. */
  returnIds: number[];
  /** Attempts nobody knows the end of. */
  attempts: { attemptId: number; orderId: number }[];
  /** Collapsed runs that stopped half-way; absent in what older workers recorded. */
  processes?: { processId: number; orderId: number; requestKey: string }[];
}

/** What one sweep looks at; the next comes a minute later. */
const mostAtOnce = 200;

/** Long enough for a flow that is being worked on to have moved. */
const quietSeconds = 30;

/**
 * Returns with unfinished initialisation or an attempt past its deadline, and uncertain attempts, by index. Most of them
 * have a workflow that works on them; telling it again is harmless.
 *
 * What waits for a person, a return that is held or an uncertain attempt, is taken in turns of chance: the oldest first,
 * as many as one sweep looks at would keep it from all that came after them.
 */
export async function findLimbo(em: EntityManager): Promise<Limbo> {
  const rows = await em.execute<{ return_id: number | null; attempt_id: number | null; order_id: number | null }[]>(
    `(select return_id, null::int as attempt_id, null::int as order_id from sale_return
      where is_ready = false and updated_at < now() - make_interval(secs => ?) order by random() limit ?)
     union
     (select return_id, null, null from refund_attempt where state = 'started' and return_id is not null
      and coalesce(call_deadline, created_at) < now() - make_interval(secs => ?) order by created_at limit ?)
     union
     (select null, attempt_id, order_id from refund_attempt where state = 'uncertain' order by random() limit ?)`,
    [quietSeconds, mostAtOnce, quietSeconds, mostAtOnce, mostAtOnce],
  );
  return {
    processes: await openProcesses(em),
    returnIds: rows.flatMap(({ return_id }) => (return_id === null ? [] : [return_id])),
    attempts: rows.flatMap(({ attempt_id, order_id }) =>
      attempt_id === null || order_id === null ? [] : [{ attemptId: attempt_id, orderId: order_id }],
    ),
  };
}

/** Runs nobody seems to work on, but for those that wait for an uncertain refund. */
async function openProcesses(em: EntityManager): Promise<NonNullable<Limbo['processes']>> {
  const rows = await em.execute<{ process_id: number; order_id: number; request_key: string }[]>(
    `select p.process_id, p.order_id, p.request_key
     from return_process p left join refund_attempt a on a.attempt_id = p.refund_attempt_id
     where p.state = 'open' and p.updated_at < now() - make_interval(secs => ?) and a.state is distinct from 'uncertain'
     order by p.updated_at limit ?`,
    [quietSeconds, mostAtOnce],
  );
  return rows.map((row) => ({ processId: row.process_id, orderId: row.order_id, requestKey: row.request_key }));
}
