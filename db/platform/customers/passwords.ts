import type { EntityManager } from '@mikro-orm/postgresql';
import { resetAgainMinutes, resetHours } from '../../../domain/platform/customers.ts';
import { passwordTokenExpired, passwordTokenMismatched } from '../../../domain/refusals/customers.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { revokeTokens } from '../access/revoke-tokens.ts';
import { liftLocks } from '../access/throttle-token-request.ts';
import { digestOf, newToken } from '../access/token-digest.ts';

/** The account that a valid token belongs to. */
export interface ResetHolder {
  customerId: number;
  email: string;
}

/** 400: a token that was made up, replaced or used, or that of another account. */
export const wrongResetToken = () => passwordTokenMismatched();
/** 400: a token that came too late. */
export const lateResetToken = () => passwordTokenExpired();

/**
 * Finds whose token it is; uses nothing up. Refused with 400: not the token of an account, too late.
 */
export async function findResetHolder(em: EntityManager, token: string): Promise<ResetHolder> {
  const found = await selectPassword.first(em, { digest: digestOf(token) });
  if (!found) throw wrongResetToken();
  if (!found.isAlive) throw lateResetToken();
  return { customerId: found.customerId, email: found.email };
}

const selectPassword = sql('passwords.selectPassword')`
  select c.id as customer_id, c.email, r.expires_at > now() as is_alive
  from customer_password_reset r join customer c on c.id = r.customer_id where r.digest = $digest`;

/**
 * Whether a token is that of an account; uses nothing up. Refused with 400: not its token, too late.
 */
export async function checkResetToken(
  em: EntityManager,
  { customerId, token }: { customerId: number; token: string },
): Promise<void> {
  const holder = await findResetHolder(em, token);
  if (holder.customerId !== customerId) throw wrongResetToken();
}

/** A new, already checked password and the token that permits it. */
export interface NewPassword {
  customerId: number;
  token: string;
  passwordHash: string;
  now: Date;
}

/**
 * Sets the new password of a token's account, ends all its sessions and lifts a lock of its sign-in (platform facts 8).
 *
 * The token is used up in the same transaction: of concurrent and repeated calls one succeeds. Refused with 400: the
 * token was used or replaced, or came too late, meanwhile.
 */
export const resetPassword = (
  em: EntityManager,
  { customerId, token, passwordHash, now }: NewPassword,
): Promise<void> =>
  transact(em, async (tx) => {
    // The account is locked before its token, as by every change of a password.
    const account = await set.first(tx, { customerId, passwordHash });
    if (!account || (await use.run(tx, { customerId, digest: digestOf(token) })) === 0) throw wrongResetToken();
    await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
    await liftLocks(tx, { userName: account.email, userType: 'customer' });
  });

const set = sql('passwords.set')`
  update customer set password_hash = $passwordHash, updated_at = now() where id = $customerId returning email`;

const use = sql('passwords.use')`
  delete from customer_password_reset
  where customer_id = $customerId and digest = $digest and expires_at > clock_timestamp()`;

/** Voids the token of an account, because its password or its e-mail has changed. Safe to repeat. */
export const forgetReset = (em: EntityManager, customerId: number): Promise<number> => forget.run(em, { customerId });

const forget = sql('passwords.forget')`delete from customer_password_reset where customer_id = $customerId`;

/** The data for checking the password of an account. */
export type OwnCredentials = RowFrom<typeof own>;

export const readOwnCredentials = (em: EntityManager, customerId: number): Promise<OwnCredentials | undefined> =>
  own.first(em, { customerId });

export interface PasswordChange {
  customerId: number;
  /** The hash against which the present password was checked. */
  oldHash: string;
  passwordHash: string;
  now: Date;
}

/**
 * Sets a new, already checked password, and revokes all tokens of the account, also the one of a forgotten password. Of
 * concurrent changes with the same old password one succeeds.
 *
 * @returns false: the password changed since the check, and stays
 */
export const changePassword = (em: EntityManager, change: PasswordChange): Promise<boolean> =>
  transact(em, async (tx) => {
    const { customerId, oldHash, passwordHash, now } = change;
    const isChanged = (await setChangePassword.run(tx, { customerId, oldHash, passwordHash })) > 0;
    if (!isChanged) return false;
    await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
    await forgetReset(tx, customerId);
    return true;
  });

const own = sql('passwords.own')`select email, password_hash from customer where id = $customerId`;

const setChangePassword = sql('passwords.setChangePassword')`
  update customer set password_hash = $passwordHash, updated_at = now()
  where id = $customerId and password_hash = $oldHash`;

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
    const input = { customerId, digest: digestOf(token), resetHours, resetAgainMinutes };
    return (await keep.run(tx, input)) === 0 ? undefined : post(tx, { customerId, token });
  });

const keep = sql('passwords.keep')`
  with account as (select id from customer where id = $customerId for key share)
  insert into customer_password_reset as r (customer_id, digest, asked_at, expires_at)
  select id, $digest, now(), now() + make_interval(hours => $resetHours) from account
  on conflict (customer_id) do update
  set digest = excluded.digest, asked_at = excluded.asked_at, expires_at = excluded.expires_at
  where r.asked_at <= now() - make_interval(mins => $resetAgainMinutes)`;
