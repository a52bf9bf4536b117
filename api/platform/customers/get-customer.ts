import { z } from 'zod';
import { readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { customerAnswer } from './customer-answer.ts';
import { renderCustomer } from './render-customer.ts';

/** One customer with the addresses (platform facts 8). Refused with 404: an unknown customer. */
export const getCustomer = route({
  method: 'GET',
  path: '/V1/customers/:customerId',
  acl: 'Platform_Customer::customer',
  summary: 'One customer',
  params: z.object({ customerId: idParam }),
  response: customerAnswer,

  async handle({ em, params: { customerId } }) {
    const { row, addresses } = await readCustomer(em, customerId);
    return renderCustomer(row, addresses);
  },
});
