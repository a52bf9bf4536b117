import { readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { route } from '../../http/route.ts';
import { customerAnswer } from './customer-answer.ts';
import { renderCustomer } from './render-customer.ts';

/** The customer who calls, with the addresses (platform facts 8). */
export const getOwnCustomer = route({
  method: 'GET',
  path: '/V1/customers/me',
  acl: 'self',
  summary: 'The customer who calls',
  name: 'getOwnCustomer',
  description: 'Who it is comes from the token.',
  outcomes: [],
  response: customerAnswer,

  async handle({ em, caller }) {
    const { row, addresses } = await readCustomer(em, caller.userId);
    return renderCustomer(row, addresses);
  },
});
