import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

export interface Limbo {
  /** Returns whose creation or refund was interrupted. */
  returnIds: number[];
  /** Attempts without a known end. */
  attempts: { attemptId: number; orderId: number }[];
  /** Refunds by the platform's own routes that stopped half-way; absent in what older workers recorded. */
  memoRefunds?: { attemptId: number; orderId: number; operationKey: string }[];
  /** Collapsed returns that stopped half-way; absent in what older workers recorded. */
  processes?: { processId: number; orderId: number; requestKey: string }[];
}

/** The most that one sweep takes; the next sweep comes a minute later. */
const mostAtOnce = 200;

/** Long enough for a running flow to have made progress. */
const quietSeconds = 30;

/**
 * Returns with unfinished initialisation or an attempt past its deadline, and uncertain attempts, by index. Most have
 * a workflow that works on them; signalling it again does no harm.
 *
 * A return whose money was refused waits for somebody who asks. Rows that wait for a person, other held returns and
 * uncertain attempts, are chosen at random. Taken oldest first, a full batch of them would keep the sweep from all
 * later ones.
 */
export async function findLimbo(em: EntityManager): Promise<Limbo> {
  const rows = await quiet.all(em, { quietSeconds, mostAtOnce });
  return {
    memoRefunds: await startedMemos.all(em, { quietSeconds, mostAtOnce }),
    processes: await openProcesses.all(em, { quietSeconds, mostAtOnce }),
    returnIds: rows.flatMap(({ returnId }) => returnId ?? []),
    attempts: rows.flatMap(({ attemptId, orderId }) =>
      attemptId === null || orderId === null ? [] : [{ attemptId, orderId }],
    ),
  };
}

const quiet = sql('find-limbo.quiet')`
  (select return_id, null::bigint as attempt_id, null::bigint as order_id from sale_return
    where is_ready = false and not waits_for_caller and updated_at < now() - make_interval(secs => $quietSeconds)
    order by random() limit $mostAtOnce)
  union
  (select return_id, null, null from refund_attempt where state = 'started' and return_id is not null
    and line_outcome is null and coalesce(call_deadline, created_at) < now() - make_interval(secs => $quietSeconds)
    order by created_at limit $mostAtOnce)
  union
  (select null, attempt_id, order_id from refund_attempt where state = 'uncertain'
    order by random() limit $mostAtOnce)`;

/** Collapsed returns without progress, except those that wait for an uncertain refund. */
const openProcesses = sql('find-limbo.openProcesses')`
  select p.process_id, p.order_id, p.request_key
  from return_process p left join refund_attempt a on a.attempt_id = p.refund_attempt_id
  where p.state = 'open' and p.updated_at < now() - make_interval(secs => $quietSeconds)
    and a.state is distinct from 'uncertain'
  order by p.updated_at limit $mostAtOnce`;

/** Attempts that neither a return nor a collapsed run takes on: those of the platform's own routes. */
const startedMemos = sql('find-limbo.startedMemos')`
  select attempt_id, order_id, plan #>> '{memo,requestKey}' as operation_key from refund_attempt
  where state = 'started' and return_id is null and plan ? 'memo'
    and coalesce(call_deadline, created_at) < now() - make_interval(secs => $quietSeconds)
  order by created_at limit $mostAtOnce`;

/** Those of these attempts that are still uncertain. */
export const findUncertain = (
  em: EntityManager,
  attemptIds: readonly number[],
): Promise<{ attemptId: number; orderId: number }[]> => uncertain.all(em, { attemptIds });

const uncertain = sql('find-limbo.uncertain')`
  select attempt_id, order_id from refund_attempt where attempt_id = any($attemptIds) and state = 'uncertain'
  order by attempt_id`;
