import { z } from 'zod';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deleteAddress, ownerOfAddress } from '../../../db/platform/customers/addresses.ts';
import { readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { noSuchEntity } from '../../../domain/errors.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { idParam, voidAnswer } from '../../wire/schemas.ts';
import { addressAnswer, exampleAddress, unknownAddress, unknownCustomer, renderAddress } from './customer-answer.ts';

const addressDoor = { acl: 'Platform_Customer::manage' } as const;

/** A default address; an empty list without one, as on the platform (platform facts 8). */
const defaultAddress = (kind: 'billing' | 'shipping') =>
  route({
    ...addressDoor,
    method: 'GET',
    path: `/V1/customers/:customerId/${kind}Address`,
    name: kind === 'billing' ? 'getBillingAddressOfCustomer' : 'getShippingAddressOfCustomer',
    summary: `Read the default ${kind} address of a customer`,
    description: 'An empty list without one.',
    outcomes: [unknownCustomer],
    examples: [{ title: 'There is one', params: { customerId: 1 }, response: exampleAddress }],
    params: z.object({ customerId: idParam }),
    response: z.union([addressAnswer, voidAnswer]),

    handle: ({ em, params: { customerId } }) => readDefaultAddress(em, { customerId, kind }),
  });

/** That of the customer who calls; an empty list where there is none (platform facts 8). */
const ownDefaultAddress = (kind: 'billing' | 'shipping') =>
  route({
    acl: 'self',
    method: 'GET',
    path: `/V1/customers/me/${kind}Address`,
    name: kind === 'billing' ? 'getOwnBillingAddress' : 'getOwnShippingAddress',
    summary: `Read the default ${kind} address of the customer who calls`,
    description: 'Who it is comes from the token. An empty list where there is none.',
    outcomes: [],
    examples: [{ title: 'There is one', response: exampleAddress }],
    response: z.union([addressAnswer, voidAnswer]),

    handle: ({ em, caller }) => readDefaultAddress(em, { customerId: caller.userId, kind }),
  });

async function readDefaultAddress(
  em: EntityManager,
  { customerId, kind }: { customerId: number; kind: 'billing' | 'shipping' },
) {
  const { row, addresses } = await readCustomer(em, customerId);
  const id = kind === 'billing' ? row.default_billing : row.default_shipping;
  const address = addresses.find((one) => one.id === id);
  return address ? renderAddress(address, row) : ([] as []);
}

/** One address by its id (platform facts 8). Refused with 404: an unknown one. */
const getAddress = route({
  ...addressDoor,
  method: 'GET',
  path: '/V1/customers/addresses/:addressId',
  name: 'getCustomerAddress',
  summary: 'Read an address of a customer',
  description: 'Of any customer.',
  outcomes: [unknownAddress],
  examples: [{ title: 'At home', params: { addressId: 1 }, response: exampleAddress }],
  params: z.object({ addressId: idParam }),
  response: addressAnswer,

  async handle({ em, params: { addressId } }) {
    const { row, addresses } = await readCustomer(em, await ownerOfAddress(em, addressId));
    const address = addresses.find(({ id }) => id === addressId);
    if (!address) throw noSuchEntity('addressId', addressId);
    return renderAddress(address, row);
  },
});

/** Removes an address from a customer's book (platform facts 8). A repeat is a 404. */
const deleteAddressRoute = route({
  ...addressDoor,
  method: 'DELETE',
  path: '/V1/addresses/:addressId',
  name: 'deleteCustomerAddress',
  summary: 'Delete an address of a customer',
  description: 'If it was a default address, the customer has no default any more. Orders keep their addresses.',
  outcomes: [unknownAddress],
  examples: [{ title: 'Deleted', params: { addressId: 3 }, response: true }],
  params: z.object({ addressId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { addressId } }) {
    await deleteAddress(em, addressId);
    return true as const;
  },
});

/** Routes of single addresses. */
export const addressRoutes: readonly AnyRoute[] = [
  defaultAddress('billing'),
  defaultAddress('shipping'),
  ownDefaultAddress('billing'),
  ownDefaultAddress('shipping'),
  getAddress,
  deleteAddressRoute,
];
