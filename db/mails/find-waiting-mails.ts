import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** What one sweep hands over; the next comes a minute later. */
const mostAtOnce = 100;

/** A mail just posted is sent by whoever posted it. */
const quietSeconds = 20;

/** Whoever posted a code answers within seconds; nobody waits longer for it than need be. */
const urgentQuietSeconds = 5;

/**
 * Mails that are due and that nobody is sending: by index, the longest due first. Those that die are not among them.
 *
 * Receipts stay due while they wait for their PDF, in crowds: they have a limit of their own, and keep no other mail back.
 */
export const findWaitingMails = async (em: EntityManager): Promise<number[]> =>
  (await findWaiting.all(em, { quietSeconds, mostAtOnce })).map(({ mailId }) => mailId);

const findWaiting = statement({
  takes: { quietSeconds: integer, mostAtOnce: integer },
  gives: { mailId: integer },
  text: `
    with due as not materialized (
      select mail_id, kind, due_at from mail_outbox
      where state = 'waiting' and due_at <= now() and dies_at is null
        and (tries > 0 or created_at <= now() - make_interval(secs => $quietSeconds)))
    (select mail_id from due where kind <> 'receipt' order by due_at limit $mostAtOnce)
    union all
    (select mail_id from due where kind = 'receipt' order by due_at limit $mostAtOnce)`,
});

/** The same of mails that somebody waits for and that are not dead yet. */
export const findUrgentMails = async (em: EntityManager): Promise<number[]> =>
  (await findUrgent.all(em, { urgentQuietSeconds, mostAtOnce })).map(({ mailId }) => mailId);

const findUrgent = statement({
  takes: { urgentQuietSeconds: integer, mostAtOnce: integer },
  gives: { mailId: integer },
  text: `
    select mail_id from mail_outbox
    where state = 'waiting' and dies_at > now() and due_at <= now()
      and (tries > 0 or created_at <= now() - make_interval(secs => $urgentQuietSeconds))
    order by dies_at limit $mostAtOnce`,
});
