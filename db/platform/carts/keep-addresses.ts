import type { EntityManager } from '@mikro-orm/postgresql';
import { isDeepStrictEqual } from 'node:util';
import { addAddress } from '../customers/add-address.ts';
import type { CartAddress } from './read-cart-addresses.ts';
import type { Cart } from './read-cart.ts';

/**
 * Puts the addresses of a cart that was just placed into its customer's book, where that was wished and they are not from
 * there; the same one twice is one. A guest has no book.
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
