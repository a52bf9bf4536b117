import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { Customer, CustomerAddress } from './customer.entity.ts';

/** A customer without the password's hash. */
export type CustomerRow = Pick<Customer, (typeof customerKeys)[number]>;

/** Every field of a customer that answers have. */
export const customerKeys = [
  ...(['id', 'websiteId', 'storeId', 'groupId', 'email', 'firstname', 'lastname', 'middlename', 'prefix'] as const),
  ...(['suffix', 'dob', 'taxvat', 'confirmation', 'createdIn', 'gender', 'defaultBilling', 'defaultShipping'] as const),
  ...(['disableAutoGroupChange', 'customAttributes', 'createdAt', 'updatedAt', 'isSubscribed'] as const),
] as const;

/** One customer with the addresses, oldest first. Refused with 404 `customerId` when there is none. */
export async function readCustomer(
  em: EntityManager,
  customerId: number,
): Promise<{ row: CustomerRow; addresses: CustomerAddress[] }> {
  const row = await freshReads(em).findOne(
    Customer,
    { id: customerId },
    { populate: ['isSubscribed', 'addresses'], strategy: 'joined', orderBy: { addresses: { id: 'asc' } } },
  );
  if (!row) throw noSuchEntity('customerId', customerId);
  return { row, addresses: row.addresses.getItems() };
}

/** The addresses of several customers in one statement, oldest first. */
export async function readCustomerAddresses(
  em: EntityManager,
  customerIds: readonly number[],
): Promise<Map<number, CustomerAddress[]>> {
  if (customerIds.length === 0) return new Map();
  const addresses = await freshReads(em).find(
    CustomerAddress,
    { customer: { $in: [...customerIds] } },
    { orderBy: { id: 'asc' } },
  );
  return Map.groupBy(addresses, ({ customer }) => customer.id);
}

/** Whether an account has this id. */
export const isCustomer = async (em: EntityManager, customerId: number): Promise<boolean> =>
  (await freshReads(em).count(Customer, { id: customerId })) > 0;
