import { z } from 'zod';
import { deleteCustomer, notSettled } from '../../../db/platform/customers/delete-customer.ts';
import { readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { unknownCustomer } from './customer-words.ts';

/**
 * Deletes an account; its orders and receipts stay (platform facts 8). A repeat is a 404.
 *
 * Refused with: 404 unknown customer · 400 the account has a wallet or points, or orders that are not settled.
 */
export const deleteCustomerRoute = route({
  method: 'DELETE',
  path: '/V1/customers/:customerId',
  acl: 'Platform_Customer::delete',
  name: 'deleteCustomer',
  summary: 'Delete a customer',
  description: `With the addresses, the cart, the wish list and the newsletter, and signs the account out. Orders, returns and receipts keep
what they say of the customer.`,
  outcomes: [
    unknownCustomer,
    {
      status: 400,
      message: 'The customer has store credit or points and cannot be deleted.',
      when: 'A wallet or an account of points was ever used: its books stay.',
    },
    {
      status: 400,
      message: notSettled,
      when: 'An order is owed, an open layaway, or still gives back credit or points.',
    },
  ],
  examples: [{ title: 'Deleted', params: { customerId: 7 }, response: true }],
  params: z.object({ customerId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { customerId }, now }) {
    await deleteCustomer(em, { customerId, now });
    return true as const;
  },
});

/** Whether an account is read-only; never so (platform facts 8). Refused with 404: an unknown customer. */
export const isCustomerReadOnly = route({
  method: 'GET',
  path: '/V1/customers/:customerId/permissions/readonly',
  acl: 'Platform_Customer::manage',
  name: 'isCustomerReadOnly',
  summary: 'Whether a customer can only be read',
  description: 'Always false: every account can be changed.',
  outcomes: [unknownCustomer],
  examples: [{ title: 'It can be changed', params: { customerId: 1 }, response: false }],
  params: z.object({ customerId: idParam }),
  response: z.literal(false),

  async handle({ em, params: { customerId } }) {
    await readCustomer(em, customerId);
    return false as const;
  },
});
