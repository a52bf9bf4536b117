import type { EntityManager } from '@mikro-orm/postgresql';
import { float, integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { Mail } from './mail.entity.ts';

/** What one sweep hands over; the next comes a minute later. */
const mostAtOnce = 100;

/** A mail just posted is sent by whoever posted it. */
const quietSeconds = 20;

/** Mails that are due and that nobody is sending: by index, the longest due first. */
export async function findWaitingMails(em: EntityManager): Promise<number[]> {
  const rows = await read.all(em, { quietSeconds, mostAtOnce });
  return rows.map(({ mailId }) => mailId);
}

const read = statement({
  takes: { quietSeconds: float, mostAtOnce: integer },
  gives: of(Mail, 'mailId'),
  text: `
    select mail_id from mail_outbox
    where state = 'waiting' and due_at <= now()
      and (tries > 0 or created_at <= now() - make_interval(secs => $quietSeconds))
    order by due_at limit $mostAtOnce`,
});
