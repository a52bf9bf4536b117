import type { Customer } from './selling.ts';
import type { Teller } from './teller.ts';

/** By e-mail, as a cashier types it. */
export async function findCustomer(teller: Teller, email: string): Promise<Customer> {
  const criteria = new URLSearchParams({
    'searchCriteria[filter_groups][0][filters][0][field]': 'email',
    'searchCriteria[filter_groups][0][filters][0][value]': email,
  });
  const found = await teller.ask({
    method: 'GET',
    path: `/V1/customers/search?${criteria.toString()}`,
    means: ({ items }) => `${items[0].firstname} ${items[0].lastname} is customer ${items[0].id}.`,
  });
  return { id: found.items[0].id, email };
}
