import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Many uncertain refunds at once have one cause, the gateway, so few mails are enough. The rest follow a minute
 * later.
 */
const mostAtOnce = 20;

/**
 * Puts a mail to the operators into the outbox for every refund that has been uncertain for so long. Once per
 * attempt, by the key of the mail; concurrent calls are safe.
 */
export async function raiseAlarms(em: EntityManager, { afterMinutes }: { afterMinutes: number }): Promise<void> {
  await raise.run(em, { afterMinutes, mostAtOnce });
}

const raise = statement({
  takes: { afterMinutes: integer, mostAtOnce: integer },
  text: `
    insert into mail_outbox (mail_key, kind, attempt_id)
    select 'uncertain-refund-' || a.attempt_id, 'uncertain_refund', a.attempt_id
    from refund_attempt a
    where a.state = 'uncertain' and a.created_at <= now() - make_interval(mins => $afterMinutes)
      and not exists (select from mail_outbox m where m.attempt_id = a.attempt_id)
    order by a.created_at limit $mostAtOnce
    on conflict (mail_key) do nothing`,
});
