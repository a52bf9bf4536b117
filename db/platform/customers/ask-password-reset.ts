import type { EntityManager } from '@mikro-orm/postgresql';
import { resetAgainMinutes, resetHours } from '../../../domain/platform/customers/account-links.ts';
import { integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { digestOf, newToken } from '../access/token-digest.ts';

/** Posts the mail with a token, in the transaction that keeps the token's digest. */
export type PostResetMail = (em: EntityManager, reset: { customerId: number; token: string }) => Promise<number>;

/**
 * Makes the token with which an account gets a new password, in place of a former one, and posts its mail.
 *
 * Of all requests within ten minutes only one makes a token. So a stranger can neither void the link that a customer is
 * opening, nor fill a mailbox.
 *
 * @returns the mail to send after the commit; undefined where a token is that young, or the account is gone
 */
export const askPasswordReset = (
  em: EntityManager,
  { customerId, post }: { customerId: number; post: PostResetMail },
): Promise<number | undefined> =>
  transact(em, async (tx) => {
    const token = newToken();
    const wish = { customerId, digest: digestOf(token), resetHours, resetAgainMinutes };
    return (await keep.run(tx, wish)) === 0 ? undefined : post(tx, { customerId, token });
  });

const keep = statement({
  takes: { customerId: integer, digest: text, resetHours: integer, resetAgainMinutes: integer },
  text: `
    with account as (select id from customer where id = $customerId for key share)
    insert into customer_password_reset as r (customer_id, digest, asked_at, expires_at)
    select id, $digest, now(), now() + make_interval(hours => $resetHours) from account
    on conflict (customer_id) do update
    set digest = excluded.digest, asked_at = excluded.asked_at, expires_at = excluded.expires_at
    where r.asked_at <= now() - make_interval(mins => $resetAgainMinutes)`,
});
