import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, text } from '../../support/kinds.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { revokeTokens } from '../access/revoke-tokens.ts';

/** What a password of an account is checked by. */
export type OwnCredentials = RowFrom<typeof own>;

export const readOwnCredentials = (em: EntityManager, customerId: number): Promise<OwnCredentials | undefined> =>
  own.first(em, { customerId });

export interface PasswordChange {
  customerId: number;
  /** What the present password was checked against. */
  oldHash: string;
  passwordHash: string;
  now: Date;
}

/**
 * Sets a new password that the caller has checked, and signs the account out everywhere. Of several changes at once that knew
 * the same password one counts.
 *
 * @returns false: the password is another since it was checked, and stays
 */
export const changePassword = (em: EntityManager, change: PasswordChange): Promise<boolean> =>
  transact(em, async (tx) => {
    const { customerId, oldHash, passwordHash, now } = change;
    const isChanged = (await set.run(tx, { customerId, oldHash, passwordHash })) > 0;
    if (isChanged) await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
    return isChanged;
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
