import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { flag, integer, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { revokeTokens } from '../access/revoke-tokens.ts';
import { forgetFailures } from '../access/throttle-token-request.ts';
import { digestOf } from '../access/token-digest.ts';

/** The account that a valid token belongs to. */
export interface ResetHolder {
  customerId: number;
  email: string;
}

/** 400: a token that was made up, replaced or used, or that of another account. */
export const wrongResetToken = () => invalid('The password token is mismatched. Reset and try again.');
/** 400: a token that came too late. */
export const lateResetToken = () => invalid('The password token is expired. Reset and try again.');

/**
 * Finds whose token it is; uses nothing up. Refused with 400: not the token of an account, too late.
 */
export async function findResetHolder(em: EntityManager, token: string): Promise<ResetHolder> {
  const found = await find.first(em, { digest: digestOf(token) });
  if (!found) throw wrongResetToken();
  if (!found.isAlive) throw lateResetToken();
  return { customerId: found.customerId, email: found.email };
}

const find = statement({
  takes: { digest: text },
  gives: { customerId: integer, email: text, isAlive: surely(flag) },
  text: `
    select c.id as customer_id, c.email, r.expires_at > now() as is_alive
    from customer_password_reset r join customer c on c.id = r.customer_id where r.digest = $digest`,
});

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
    await forgetFailures(tx, { userName: account.email, userType: 'customer' });
  });

const set = statement({
  takes: { customerId: integer, passwordHash: text },
  gives: { email: text },
  text: 'update customer set password_hash = $passwordHash, updated_at = now() where id = $customerId returning email',
});

const use = statement({
  takes: { customerId: integer, digest: text },
  text: `
    delete from customer_password_reset
    where customer_id = $customerId and digest = $digest and expires_at > clock_timestamp()`,
});

/** Voids the token of an account, because its password or its e-mail has changed. Safe to repeat. */
export const forgetReset = (em: EntityManager, customerId: number): Promise<number> => forget.run(em, { customerId });

const forget = statement({
  takes: { customerId: integer },
  text: 'delete from customer_password_reset where customer_id = $customerId',
});
