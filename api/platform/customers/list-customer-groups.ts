import { z } from 'zod';
import { searchCustomerGroups } from '../../../db/platform/customers/search-customer-groups.ts';
import { route } from '../../support/route.ts';
import { listAnswer } from '../../support/schemas.ts';
import { renderList, searchCriteria } from '../../support/search-criteria.ts';
import { customerGroupAnswer, renderCustomerGroup } from './render-customer-group.ts';

/** Customer groups; 0 is nobody signed in (platform facts 8). */
export const listCustomerGroups = route({
  method: 'GET',
  path: '/V1/customerGroups/search',
  acl: 'Platform_Customer::group',
  summary: 'Search customer groups',
  query: z.object({ searchCriteria }),
  response: listAnswer(customerGroupAnswer),

  async handle({ em, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await searchCustomerGroups(em, criteria);
    return renderList(criteria, rows.map(renderCustomerGroup), totalCount);
  },
});
