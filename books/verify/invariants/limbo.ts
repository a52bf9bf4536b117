import type { Invariant } from '../invariant.ts';

/** No row stays between two states longer than a repair sweep needs. */
export const limboInvariants: readonly Invariant[] = [
  {
    id: 'I-30',
    sentence: 'No refund attempt is left as started: two minutes after its deadline it is decided or uncertain.',
    needsQuiet: true,
    sql: `
      select attempt_id, order_id, return_id, created_at, call_started_at, call_deadline
      from refund_attempt
      where state = 'started' and coalesce(call_deadline, created_at) < now() - interval '2 minutes'`,
  },
  {
    id: 'I-30b',
    sentence: 'A return made with a sale id is finished within two minutes, or a comment says why not.',
    needsQuiet: true,
    sql: `
      select r.return_id, r.increment_id, r.status, r.pos_sale_id, r.updated_at
      from sale_return r
      where not r.is_ready and r.updated_at < now() - interval '2 minutes'
        and r.status not in ('resolved', 'closed', 'processed_closed', 'rejected', 'denied')
        and not exists (select from sale_return_comment c where c.return_id = r.return_id)
        and not exists (select from refund_attempt a where a.return_id = r.return_id and a.state = 'uncertain')`,
  },
  {
    id: 'I-30d',
    sentence: 'A collapsed return is over within two minutes, unless the end of its refund is not known yet.',
    needsQuiet: true,
    sql: `
      select p.process_id, p.order_id, p.stage, p.provider_code, p.return_id, p.updated_at
      from return_process p left join refund_attempt a on a.attempt_id = p.refund_attempt_id
      where p.state = 'open' and p.updated_at < now() - interval '2 minutes' and a.state is distinct from 'uncertain'`,
  },
  {
    id: 'I-30c',
    sentence: 'No transaction stays open for more than half a minute.',
    needsQuiet: true,
    sql: `
      select pid, application_name, state, xact_start, left(query, 200) as query
      from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%' and xact_start < now() - interval '30 seconds'`,
  },
];
