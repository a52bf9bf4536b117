import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { integer } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { Customer, CustomerAddress } from './customer.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

/** The customer of an address. Refused with 404 `addressId` when there is none. */
export async function ownerOfAddress(em: EntityManager, addressId: number): Promise<number> {
  const row = await owner.first(em, { addressId });
  if (!row) throw noSuchEntity('addressId', addressId);
  return row.customerId;
}

const owner = statement({
  takes: { addressId: integer },
  gives: { customerId: integer },
  text: 'select customer_id from customer_address where id = $addressId',
});

/**
 * Deletes an address of a customer; a default address is then unset (platform facts 8). A repeat finds nothing.
 * Refused with 404: an unknown address.
 */
export const deleteAddress = (em: EntityManager, addressId: number): Promise<void> =>
  transact(em, async (tx) => {
    const customerId = await ownerOfAddress(tx, addressId);
    // The same lock order as a save: the customer first, then the rows below it.
    const customer = await tx.findOne(Customer, { id: customerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const removed = await tx.nativeDelete(CustomerAddress, { id: addressId });
    if (!customer || removed === 0) throw noSuchEntity('addressId', addressId);
    tx.assign(customer, {
      defaultBilling: customer.defaultBilling === addressId ? null : (customer.defaultBilling ?? null),
      defaultShipping: customer.defaultShipping === addressId ? null : (customer.defaultShipping ?? null),
      updatedAt: shopNow(),
    });
    await tx.flush();
  });
