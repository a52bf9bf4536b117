import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../../domain/errors.ts';
import { isStillNeeded } from '../../support/is-still-needed.ts';
import { transact } from '../../support/transact.ts';
import { revokeTokens } from '../access/revoke-tokens.ts';
import { Customer } from './customer.entity.ts';

/**
 * Deletes an account with its addresses, cart, wishes and newsletter, and signs it out; orders and receipts keep what they say
 * (platform facts 8). A repeat finds nothing.
 *
 * Refused with: 404 unknown customer · 400 the account has a wallet or points: their books stay.
 */
export async function deleteCustomer(em: EntityManager, { customerId, now }: { customerId: number; now: Date }) {
  try {
    await transact(em, async (tx) => {
      const customer = await tx.findOne(Customer, { id: customerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!customer) throw noSuchEntity('customerId', customerId);
      await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
      await tx.nativeDelete(Customer, { id: customerId });
    });
  } catch (error) {
    if (isStillNeeded(error)) throw invalid('The customer has store credit or points and cannot be deleted.');
    throw error;
  }
}
