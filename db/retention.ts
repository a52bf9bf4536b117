import type { EntityManager } from '@mikro-orm/postgresql';
import { storedDays, type StoredFor } from '../domain/retention.ts';
import { mendDeliveries } from './events/deliveries.ts';
import { integer } from './support/entity-columns.ts';
import { tryLockAdvisory } from './support/lock-advisory.ts';
import { sql } from './support/sql.ts';
import { statement } from './support/statement.ts';
import { transact } from './support/transact.ts';

/** How long a row stays: so many days by our choice, or by the merchant's setting. */
type StoredAs = StoredFor | 'guestCart';

interface Leftover {
  table: string;
  keptFor: StoredAs;
  /**
   * The condition for deleting a row `r`; rows from before `${before}` are too old. Each condition has an index, or a
   * small table.
   */
  isOld: string;
}

/** By the database's clock: a worker's may be days ahead, and would free keys and end sessions. */
const before = '(now() - make_interval(days => $days))';

const oldestEvents = 'select * from pos_event where sequence is not null order by sequence limit $limit';

const leftovers: readonly Leftover[] = [
  {
    table: 'sale_return_settle_payload',
    keptFor: 'spentPayload',
    isOld: `r.created_at < ${before} and exists (select from sale_return s where s.return_id = r.return_id
      and s.status in ('resolved', 'closed', 'processed_closed', 'rejected', 'denied'))`,
  },
  {
    table: 'sale_return_settle_payload',
    keptFor: 'payload',
    isOld: `r.created_at < ${before} and not exists (
      select from refund_attempt a where a.return_id = r.return_id and a.state = 'uncertain')`,
  },
  {
    table: 'pos_movement_place',
    keptFor: 'payload',
    isOld: `r.created_at < ${before} and not exists (select from refund_attempt a
      where a.state in ('started', 'uncertain') and r.place_key = 'return ' || a.return_id)`,
  },
  { table: 'access_token', keptFor: 'accessToken', isOld: `least(r.expires_at, r.revoked_at) < ${before}` },
  { table: 'oauth_nonce', keptFor: 'nonce', isOld: `r.expires_at < ${before}` },
  { table: 'pos_staff_session', keptFor: 'staffSession', isOld: `r.expires_at < ${before}` },
  { table: 'pos_staff_login_failure', keptFor: 'loginFailure', isOld: `r.first_failed_at < ${before}` },
  {
    table: 'token_throttle',
    keptFor: 'tokenThrottle',
    isOld: `greatest(r.last_failed_at, r.locked_until) < ${before}`,
  },
  { table: 'pos_receipt_pdf', keptFor: 'receiptPdf', isOld: `r.made_at < ${before}` },
  { table: 'customer_password_reset', keptFor: 'passwordReset', isOld: `r.expires_at < ${before}` },
  { table: 'rate_limit', keptFor: 'rateLimit', isOld: `r.window_ends_at < ${before}` },
  { table: 'content_renewal', keptFor: 'contentRenewal', isOld: `r.failed = 0 and r.finished_at < ${before}` },
  {
    table: 'bulk_operation',
    keptFor: 'bulk',
    isOld: `r.bulk_id in (select b.bulk_id from bulk b where b.finished_at < ${before})`,
  },
  {
    table: 'bulk',
    keptFor: 'bulk',
    isOld: `r.finished_at < ${before} and not exists (select from bulk_operation o where o.bulk_id = r.bulk_id)`,
  },
  // A cart with an account, and one that became an order, stay. A call that uses the cart locks it, and it is skipped.
  { table: 'quote', keptFor: 'guestCart', isOld: `r.is_active and r.customer_id is null and r.updated_at < ${before}` },
  { table: 'keyed_request', keptFor: 'keyedRequest', isOld: `r.created_at < ${before}` },
  { table: 'sale_return_operation', keptFor: 'keyedRequest', isOld: `r.created_at < ${before}` },
  // In the order of their places and without a gap, so that the feed begins at one place; by the newest one it is known
  // how far the feed went. Only the oldest are looked at, however many are kept.
  {
    table: 'pos_event',
    keptFor: 'event',
    isOld: `r.event_id = any(array(select o.event_id from (${oldestEvents}) o)) and r.sequence <> (select max(sequence) from pos_event)
      and r.sequence < all (select o.sequence from (${oldestEvents}) o where o.occurred_at >= ${before})`,
  },
  {
    table: 'webhook_attempt',
    keptFor: 'event',
    isOld: `r.attempt_id = any(array(select a.attempt_id from webhook_attempt a order by a.attempt_id limit $limit))
      and r.at < ${before}`,
  },
  {
    table: 'mail_outbox',
    keptFor: 'mail',
    isOld: `r.state <> 'waiting' and r.updated_at < ${before} and not exists (
      select from refund_attempt a where a.attempt_id = r.attempt_id and a.state = 'uncertain')`,
  },
];

const purges = leftovers.map(({ table, keptFor, isOld }) => ({
  table,
  keptFor,
  purge: statement({
    takes: { days: integer, limit: integer },
    text: `
      with old as (select r.ctid from ${table} r where ${isOld} limit $limit for update of r skip locked)
      delete from ${table} t using old where t.ctid = old.ctid`,
  }),
}));

/**
 * Goods that were promised to an order and handed over, or set free: these rows come to nothing, and whether goods can be
 * sold is the sum of all rows of a SKU. All of an order's rows of one SKU go at once, the oldest orders first, so that
 * every sum stays as it is.
 */
const purgeEndedPromises = sql('retention.purgeEndedPromises')`
  with ended as materialized (
    select r.order_id, r.stock_id, r.sku from inventory_reservation r group by r.order_id, r.stock_id, r.sku
    having sum(r.quantity) = 0 and max(r.created_at) < ${before} order by r.order_id limit $limit)
  delete from inventory_reservation r using ended
  where r.order_id = ended.order_id and r.stock_id = ended.stock_id and r.sku = ended.sku`;

/** One run at a time: two would wait for each other's rows. */
const endedPromises = (em: EntityManager, values: { days: number; limit: number }): Promise<number> =>
  transact(em, async (tx) =>
    (await tryLockAdvisory(tx, 'purge of promises')) ? purgeEndedPromises.run(tx, values) : 0,
  );

export interface Purged {
  /** Deleted rows, by table. */
  removed: Record<string, number>;
  /** Nothing too old is left. */
  isDone: boolean;
}

/**
 * Deletes a batch of rows past their retention: at most so many of each kind.
 *
 * Safe to repeat until it is done, and to run concurrently: runs skip each other's rows.
 */
export async function purgeLeftovers(
  em: EntityManager,
  { limit, guestCartDays }: { limit: number; guestCartDays: number },
): Promise<Purged> {
  const days: Readonly<Record<StoredAs, number>> = { ...storedDays, guestCart: guestCartDays };
  const removed: Record<string, number> = {};
  let isDone = true;
  for (const { table, keptFor, purge } of purges) {
    const rows = await purge.run(em, { days: days[keptFor], limit });
    removed[table] = (removed[table] ?? 0) + rows;
    if (rows === limit) isDone = false;
  }
  const promises = await endedPromises(em, { days: days.endedPromise, limit });
  removed['inventory_reservation'] = promises;
  // A promise has two rows at least: of as many rows as there may be promises, more may be left.
  if (promises >= limit) isDone = false;
  if (isDone) await mendDeliveries(em);
  return { removed, isDone };
}
