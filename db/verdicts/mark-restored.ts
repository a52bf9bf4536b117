import type { EntityManager } from '@mikro-orm/postgresql';
import { unfollowSessions } from '../register-sessions/follow-session.ts';
import { unfollowAllLayaways } from '../layaways/find-unfollowed.ts';
import { unfollowAll } from '../returns/followed.ts';
import { recordFinding } from './record-finding.ts';
import { databaseNow } from '../support/database-now.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { here } from '../installation/installation-home.ts';

/** What `markRestored` found and changed. */
export interface Restored {
  generation: number;
  /** Refund attempts that are uncertain now. */
  attemptIds: number[];
  /** Outside spendings: an order missing in the backup may have been saved with them. */
  spendingIds: number[];
  /** Mails to customers, of every kind, that may have been sent already. */
  droppedMails: number;
  /** Webhook endpoints that are sent nothing until somebody switches them on. */
  pausedEndpoints: number;
}

/**
 * Marks this database as an older state of itself, or as a copy: nothing that was under way may be sent from it (our
 * choice; `docs/operators/restore.md`).
 *
 * Every refund under way becomes uncertain, mails to customers are dropped, spendings without an order are held,
 * webhook endpoints are paused, and outside names start again, also those of events. From now on a gateway is asked for
 * earlier refunds before each refund. Run it while no worker runs. A repeat finds nothing under way and adds one
 * generation.
 */
export async function markRestored(em: EntityManager): Promise<Restored> {
  const marked = await transact(em, async (tx) => {
    const installation = await begin.first(tx);
    if (installation === undefined) throw new Error('this database has no installation row');
    await claimAll.run(tx);
    await forgetDoubts.run(tx);
    await forgetWorkflows(tx);
    const spendings = await holdSpendings.all(tx);
    const droppedMails = await dropMails.run(tx);
    await leaveEventNumbers.run(tx);
    const pausedEndpoints = await pauseEndpoints.run(tx);
    const attempts = await underWay.all(tx);
    return {
      generation: installation.generation,
      attemptIds: attempts.map(({ attemptId }) => attemptId),
      spendingIds: spendings.map(({ spendingId }) => spendingId),
      droppedMails,
      pausedEndpoints,
    };
  });
  for (const attemptId of marked.attemptIds)
    await recordFinding(em, { attemptId, finding: question, now: await databaseNow(em.fork()) });
  return marked;
}

/**
 * Says of everything open that no workflow follows it: the workflows of this Temporal, if there are any, know of
 * another state of the books. Housekeeping starts them, and tells those that run to read their row.
 */
export async function forgetWorkflows(em: EntityManager): Promise<{ returns: number; layaways: number }> {
  await unfollowSessions(em);
  return { returns: await unfollowAll(em), layaways: await unfollowAllLayaways(em) };
}

const question = {
  evidence: 'unknown',
  gatewayOutcome: 'restored_books',
  message:
    'The books were restored from a backup while this refund was under way. The gateway has to say what became of it.',
} as const;

const begin = sql('mark-restored.begin')`
  update installation set generation = generation + 1, restored_at = clock_timestamp(), home = ${here},
    installation_key = left(replace(gen_random_uuid()::text, '-', ''), 8)
  returning generation`;

/** Claimed, so that its call is never made from here: it may have been made after the backup. */
const claimAll = sql('mark-restored.claimAll')`
  update refund_attempt set call_started_at = clock_timestamp(), call_deadline = clock_timestamp(), updated_at = now()
  where state = 'started' and call_started_at is null`;

/** A refund that a look-up did not find before the backup may exist since. */
const forgetDoubts = sql('mark-restored.forgetDoubts')`
  update refund_attempt set first_not_found_at = null, updated_at = now()
  where state in ('started', 'uncertain') and first_not_found_at is not null`;

const underWay = sql('mark-restored.underWay')`
  select attempt_id from refund_attempt where state = 'started' order by attempt_id`;

const holdSpendings = sql('mark-restored.holdSpendings')`
  update credit_spending set held_at = now()
  where order_id is null and state in ('reserved', 'spent') and held_at is null returning spending_id`;

/** All except the alarms to operators: receiving one twice does no harm. */
const dropMails = sql('mark-restored.dropMails')`
  update mail_outbox set state = 'dropped', reason = 'restored', sealed = null, sealed_to = null,
    wish_digest = null, updated_at = now()
  where state = 'waiting' and kind <> 'uncertain_refund'`;

/** A receiver takes no id twice: a new event must not have one that was sent in the lost time. */
const leaveEventNumbers = sql('mark-restored.leaveEventNumbers')`select from pos_leave_event_numbers()`;

/** A copy must not tell the systems of the shop; and what waits in an older state may have been told. */
const pauseEndpoints = sql('mark-restored.pauseEndpoints')`
  update webhook_endpoint set state = 'paused', updated_at = now(),
    paused_for = 'The books were restored from a backup. Look at what it is told, then switch it on.'
  where state = 'on'`;
