import { z } from 'zod';
import { readCustomerAddresses } from '../../../db/platform/customers/read-customers.ts';
import { searchCustomers as search } from '../../../db/platform/customers/search-customers.ts';
import { route } from '../../http/route.ts';
import { listAnswer } from '../../wire/schemas.ts';
import { renderList, searchCriteria, unknownField } from '../../wire/search-criteria.ts';
import { customerAnswer } from './customer-answer.ts';
import { renderCustomer } from './render-customer.ts';

/**
 * Searches customers by `searchCriteria`, also by their billing address. The answer has their addresses (platform facts
 * 8).
 */
export const searchCustomers = route({
  method: 'GET',
  path: '/V1/customers/search',
  acl: 'Platform_Customer::customer',
  summary: 'Search customers',
  name: 'searchCustomers',
  description: `Customers with their addresses. Fields of the billing address can be searched as well, such as
    \`billing_telephone\`. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  query: z.object({ searchCriteria }),
  response: listAnswer(customerAnswer),

  async handle({ reader, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await search(reader, criteria);
    const addresses = await readCustomerAddresses(
      reader,
      rows.map(({ id }) => id),
    );
    const customers = rows.map((row) => renderCustomer(row, addresses.get(row.id) ?? []));
    return renderList(criteria, customers, totalCount);
  },
});
