import { z } from 'zod';
import { readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { customerAnswer } from './customer-answer.ts';
import { renderCustomer } from './render-customer.ts';

/** One customer with the addresses (platform facts 8). */
export const getCustomer = route({
  method: 'GET',
  path: '/V1/customers/:customerId',
  acl: 'Platform_Customer::customer',
  summary: 'One customer',
  name: 'getCustomer',
  description: 'One customer with the addresses.',
  outcomes: [unknownEntity('There is no customer of this id.')],
  params: z.object({ customerId: idParam }),
  response: customerAnswer,

  async handle({ reader, params: { customerId } }) {
    const { row, addresses } = await readCustomer(reader, customerId);
    return renderCustomer(row, addresses);
  },
});
