import type { EntityManager } from '@mikro-orm/postgresql';
import { resetAgainMinutes, resetMailMinutes } from '../../domain/platform/customers/account-links.ts';
import { integer, text } from '../support/kinds.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { statement } from '../support/statement.ts';

/** What a token is sealed for. */
export const resetPurpose = 'password reset';

/**
 * Puts the mail with the token of a new password into the outbox, in the transaction that keeps the token's digest. The
 * token lies there sealed until the mail is sent, and an hour at most.
 *
 * @returns the mail to send after the commit
 */
export async function postPasswordResetMail(
  em: EntityManager,
  { customerId, token, box }: { customerId: number; token: string; box: SecretBox },
): Promise<number> {
  const posted = await postReset.first(em, { customerId, sealed: box.seal(token, resetPurpose), resetMailMinutes });
  if (!posted) throw new Error('a token is gone that was made a moment ago');
  return posted.mailId;
}

const postReset = statement({
  takes: { customerId: integer, sealed: text, resetMailMinutes: integer },
  gives: { mailId: integer },
  text: `
    insert into mail_outbox (mail_key, kind, customer_id, sealed, dies_at)
    select 'password-reset-' || r.customer_id || '-' || (extract(epoch from r.asked_at) * 1000000)::bigint,
      'password_reset', r.customer_id, $sealed, r.asked_at + make_interval(mins => $resetMailMinutes)
    from customer_password_reset r where r.customer_id = $customerId
    returning mail_id`,
});

/**
 * Puts the mail that asks an account to confirm its e-mail into the outbox. Of several requests within ten minutes one
 * posts it.
 *
 * @returns the mail to send after the commit; undefined where it exists already
 */
export const postAccountConfirmationMail = async (em: EntityManager, customerId: number): Promise<number | undefined> =>
  (await postConfirmation.first(em, { customerId, seconds: resetAgainMinutes * 60 }))?.mailId;

const postConfirmation = statement({
  takes: { customerId: integer, seconds: integer },
  gives: { mailId: integer },
  text: `
    insert into mail_outbox (mail_key, kind, customer_id)
    select 'account-confirmation-' || c.id || '-' || floor(extract(epoch from now()) / $seconds::int)::bigint,
      'account_confirmation', c.id
    from customer c where c.id = $customerId and c.confirmation is not null
    on conflict (mail_key) do nothing returning mail_id`,
});
