import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Puts the mail that asks a subscriber to confirm into the outbox, in the transaction that makes the subscription
 * wait. Once per request to confirm.
 *
 * @returns the mail to send after the commit; undefined where it exists already
 */
export const postConfirmationMail = async (em: EntityManager, subscriberId: number): Promise<number | undefined> =>
  (await post.first(em, { subscriberId }))?.mailId;

const post = statement({
  takes: { subscriberId: integer },
  gives: { mailId: integer },
  text: `
    insert into mail_outbox (mail_key, kind, subscriber_id)
    select 'newsletter-' || n.subscriber_id || '-' || (extract(epoch from n.confirm_asked_at) * 1000000)::bigint,
      'newsletter_confirmation', n.subscriber_id
    from newsletter_subscriber n where n.subscriber_id = $subscriberId and n.confirm_asked_at is not null
    on conflict (mail_key) do nothing returning mail_id`,
});
