import type { EntityManager } from '@mikro-orm/postgresql';
import { everyResource } from '../../domain/platform/access/acl.ts';
import { AdminUser } from '../platform/access/admin-user.entity.ts';
import { integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';

/**
 * Many uncertain refunds at once have one cause, the gateway, so few mails are enough. The rest follow a minute
 * later.
 */
const mostAtOnce = 20;

const escalationTail = '-24h';

/** After the first mail; the last one goes to whoever is asked when nobody answers. */
const laterAlarms = [
  { tail: '-4h', minutes: 240 },
  { tail: escalationTail, minutes: 1_440 },
] as const;

/**
 * Puts a mail to the operators into the outbox for every refund that has been uncertain for so long, and again after
 * four hours and after a day. Of a refund only the latest that is due. Once each, by the key of the mail; concurrent
 * calls are safe.
 */
export async function raiseAlarms(em: EntityManager, { afterMinutes }: { afterMinutes: number }): Promise<void> {
  await raise.run(em, { afterMinutes, mostAtOnce });
}

/** Puts a mail to the operators into the outbox for every endpoint that was paused, once for each pause. */
export async function raisePauseAlarms(em: EntityManager): Promise<void> {
  await raisePauses.run(em);
}

const pausePrefix = 'endpoint-paused-';

/** The endpoint that a mail is about; undefined: the mail is about something else. */
export const endpointOfMail = (mailKey: string): number | undefined =>
  mailKey.startsWith(pausePrefix) ? Number(mailKey.slice(pausePrefix.length).split('-')[0]) : undefined;

const raisePauses = statement({
  takes: {},
  text: `
    insert into mail_outbox (mail_key, kind)
    select '${pausePrefix}' || endpoint_id || '-' || extract(epoch from failing_since)::bigint, 'endpoint_paused'
    from webhook_endpoint where state = 'paused' and failing_since is not null
    on conflict (mail_key) do nothing`,
});

/** The mail about a refund that nobody answered for a day. */
export const isEscalation = (mailKey: string) => mailKey.endsWith(escalationTail);

const raise = statement({
  takes: { afterMinutes: integer, mostAtOnce: integer },
  text: `
    with due as (
      select a.attempt_id, a.created_at, 'uncertain-refund-' || a.attempt_id || s.tail as mail_key
      from refund_attempt a cross join lateral (
        select tail from (values ('', $afterMinutes::int), ${laterAlarms.map(({ tail, minutes }) => `('${tail}', ${minutes})`).join(', ')})
          as step (tail, minutes)
        where a.created_at <= now() - make_interval(mins => step.minutes) and step.minutes >= $afterMinutes::int
        order by step.minutes desc limit 1) s
      where a.state = 'uncertain')
    insert into mail_outbox (mail_key, kind, attempt_id)
    select d.mail_key, 'uncertain_refund', d.attempt_id from due d
    where not exists (select from mail_outbox m where m.mail_key = d.mail_key)
    order by d.created_at limit $mostAtOnce
    on conflict (mail_key) do nothing`,
});

/** Who is told where no address is set: the first administrator of everything. */
export const administratorToTell = async (em: EntityManager): Promise<string | undefined> =>
  (await administrator.first(em, { everything: everyResource }))?.email;

const administrator = statement({
  takes: { everything: text },
  gives: of(AdminUser, 'email'),
  text: `
    select email from admin_user where is_active and resources @> jsonb_build_array($everything::text)
    order by user_id limit 1`,
});
