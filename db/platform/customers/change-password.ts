import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, text } from '../../support/kinds.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { revokeTokens } from '../access/revoke-tokens.ts';

/** What a password of an account is checked by. */
export type OwnCredentials = RowFrom<typeof own>;

export const readOwnCredentials = (em: EntityManager, customerId: number): Promise<OwnCredentials | undefined> =>
  own.first(em, { customerId });

/** Sets a new password that the caller has checked, and signs the account out everywhere. */
export const changePassword = (
  em: EntityManager,
  { customerId, passwordHash, now }: { customerId: number; passwordHash: string; now: Date },
): Promise<void> =>
  transact(em, async (tx) => {
    await set.run(tx, { customerId, passwordHash });
    await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
  });

const own = statement({
  takes: { customerId: integer },
  gives: { email: text, passwordHash: orNull(text) },
  text: 'select email, password_hash from customer where id = $customerId',
});

const set = statement({
  takes: { customerId: integer, passwordHash: text },
  text: 'update customer set password_hash = $passwordHash, updated_at = now() where id = $customerId',
});
