import type { EntityManager } from '@mikro-orm/postgresql';

/** What one sweep hands over; the next comes a minute later. */
const mostAtOnce = 100;

/** A mail just posted is sent by whoever posted it. */
const quietSeconds = 20;

/** Mails that are due and that nobody is sending: by index, the longest due first. */
export async function findWaitingMails(em: EntityManager): Promise<number[]> {
  const rows = await em.execute<{ mail_id: number }[]>(
    `select mail_id from mail_outbox
     where state = 'waiting' and due_at <= now() and (tries > 0 or created_at <= now() - make_interval(secs => ?))
     order by due_at limit ?`,
    [quietSeconds, mostAtOnce],
  );
  return rows.map(({ mail_id }) => mail_id);
}
