import type { EntityManager } from '@mikro-orm/postgresql';
import { keptDays, type KeptFor } from '../../domain/retention/retention.ts';

interface Leftover {
  table: string;
  keptFor: KeptFor;
  /** Which rows `r` go; takes the day before which they are too old. Each condition has an index, or a small table. */
  isOld: string;
}

const leftovers: readonly Leftover[] = [
  { table: 'sale_return_note', keptFor: 'note', isOld: 'r.created_at < ?' },
  { table: 'layaway_note', keptFor: 'note', isOld: 'r.created_at < ?' },
  {
    table: 'sale_return_settle_payload',
    keptFor: 'spentPayload',
    isOld: `r.created_at < ? and exists (select from sale_return s where s.return_id = r.return_id
      and s.status in ('resolved', 'closed', 'processed_closed', 'rejected', 'denied'))`,
  },
  {
    table: 'sale_return_settle_payload',
    keptFor: 'payload',
    isOld: `r.created_at < ? and not exists (
      select from refund_attempt a where a.return_id = r.return_id and a.state = 'uncertain')`,
  },
  { table: 'access_token', keptFor: 'accessToken', isOld: 'least(r.expires_at, r.revoked_at) < ?' },
  { table: 'pos_staff_session', keptFor: 'staffSession', isOld: 'r.expires_at < ?' },
  { table: 'pos_staff_login_failure', keptFor: 'loginFailure', isOld: 'r.first_failed_at < ?' },
  {
    table: 'token_throttle',
    keptFor: 'tokenThrottle',
    isOld: 'greatest(r.last_failed_at, r.locked_until) < ?',
  },
  { table: 'pos_receipt_pdf', keptFor: 'receiptPdf', isOld: 'r.made_at < ?' },
  { table: 'rate_limit', keptFor: 'rateLimit', isOld: 'r.window_ends_at < ?' },
  { table: 'content_renewal', keptFor: 'contentRenewal', isOld: 'r.finished_at < ?' },
  { table: 'keyed_request', keptFor: 'keyedRequest', isOld: 'r.created_at < ?' },
  {
    table: 'mail_outbox',
    keptFor: 'mail',
    isOld: `r.state <> 'waiting' and r.updated_at < ? and not exists (
      select from refund_attempt a where a.attempt_id = r.attempt_id and a.state = 'uncertain')`,
  },
];

export interface Purged {
  /** Rows removed, by table. */
  removed: Record<string, number>;
  /** Nothing more is too old. */
  isDone: boolean;
}

/**
 * Removes a batch of what nobody needs any more: of each kind at most so many rows.
 *
 * Safe to repeat until it is done, and to run by two at once: each leaves alone what the other is removing.
 */
export async function purgeLeftovers(em: EntityManager, { now, limit }: { now: Date; limit: number }): Promise<Purged> {
  const removed: Record<string, number> = {};
  let isDone = true;
  for (const leftover of leftovers) {
    const rows = await removeOld(em, leftover, { now, limit });
    removed[leftover.table] = (removed[leftover.table] ?? 0) + rows;
    if (rows === limit) isDone = false;
  }
  return { removed, isDone };
}

const dayMs = 86_400_000;

async function removeOld(
  em: EntityManager,
  { table, keptFor, isOld }: Leftover,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const [gone] = await em.execute<{ rows: string }[]>(
    `with old as (select r.ctid from ${table} r where ${isOld} limit ? for update of r skip locked),
       gone as (delete from ${table} t using old where t.ctid = old.ctid returning 1)
     select count(*) as rows from gone`,
    [new Date(now.getTime() - keptDays[keptFor] * dayMs), limit],
  );
  return Number(gone?.rows ?? 0);
}
