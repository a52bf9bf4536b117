import { searchCustomerGroups } from '../../../db/platform/customers/search-customer-groups.ts';
import { listRoute } from '../../http/list-route.ts';
import { customerGroupAnswer, renderCustomerGroup } from './render-customer-group.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Customer groups; 0 is the group of guests (platform facts 8). */
export const listCustomerGroups = listRoute({
  path: '/V1/customerGroups/search',
  acl: 'Platform_Customer::group',
  summary: 'Search customer groups',
  name: 'listCustomerGroups',
  description: `Group 0 is everybody who has not signed in. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: customerGroupAnswer,
  find: searchCustomerGroups,
  render: renderCustomerGroup,
});
