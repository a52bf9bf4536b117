import type { EntityManager } from '@mikro-orm/postgresql';
import { isDeepStrictEqual } from 'node:util';
import { addAddress } from '../customers/addresses.ts';
import type { CartAddress } from './read-cart-addresses.ts';
import type { Cart } from './read-cart.ts';

/**
 * Adds the addresses of a placed cart to its customer's address book, when the customer asked for it and they are not
 * from the book. Two equal addresses are added once. A guest has no address book.
 */
export async function keepAddresses(em: EntityManager, { customerId, billing, shipping }: Cart): Promise<void> {
  if (customerId === null) return;
  const wished = [billing, shipping].flatMap((one) =>
    one?.saveInAddressBook && one.customerAddressId === null ? [inBook(one)] : [],
  );
  const [first, second] = wished;
  if (first) await addAddress(em, customerId, first);
  if (second && !isDeepStrictEqual(first, second)) await addAddress(em, customerId, second);
}

const inBook = ({
  addressId: _id,
  customerAddressId: _own,
  sameAsBilling: _same,
  saveInAddressBook: _kept,
  email: _email,
  ...address
}: CartAddress) => address;
