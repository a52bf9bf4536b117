import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, text } from '../../support/kinds.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { revokeTokens } from '../access/revoke-tokens.ts';
import { forgetReset } from './reset-password.ts';

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
 * Sets a new, already checked password, and revokes all tokens of the account, also the one of a forgotten password. Of concurrent changes with the same
 * old password one succeeds.
 *
 * @returns false: the password changed since the check, and stays
 */
export const changePassword = (em: EntityManager, change: PasswordChange): Promise<boolean> =>
  transact(em, async (tx) => {
    const { customerId, oldHash, passwordHash, now } = change;
    const isChanged = (await set.run(tx, { customerId, oldHash, passwordHash })) > 0;
    if (!isChanged) return false;
    await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
    await forgetReset(tx, customerId);
    return true;
  });

const own = statement({
  takes: { customerId: integer },
  gives: { email: text, passwordHash: orNull(text) },
  text: 'select email, password_hash from customer where id = $customerId',
});

const set = statement({
  takes: { customerId: integer, oldHash: text, passwordHash: text },
  text: `
    update customer set password_hash = $passwordHash, updated_at = now()
    where id = $customerId and password_hash = $oldHash`,
});
