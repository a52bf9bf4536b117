import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** The most that one sweep starts; the next sweep comes a minute later. */
const mostAtOnce = 100;

/** The process that posted a new mail sends it within this time. */
const quietSeconds = 20;

/** Shorter for urgent mails, because a customer waits. */
const urgentQuietSeconds = 5;

/**
 * Mails that are due and not being sent: by index, the longest due first. Mails with an expiry are not included.
 *
 * Many receipts stay due while they wait for their PDF: they have a separate limit, so they do not delay other mails.
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

/** The same for urgent mails that are not too old yet. */
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
