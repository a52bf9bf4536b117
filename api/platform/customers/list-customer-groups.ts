import { searchCustomerGroups } from '../../../db/platform/customers/search-customer-groups.ts';
import { listRoute } from '../../http/list-route.ts';
import { customerGroupAnswer, renderCustomerGroup } from './render-customer-group.ts';

/** Customer groups; 0 is nobody signed in (platform facts 8). */
export const listCustomerGroups = listRoute({
  path: '/V1/customerGroups/search',
  acl: 'Platform_Customer::group',
  summary: 'Search customer groups',
  answer: customerGroupAnswer,
  find: searchCustomerGroups,
  render: renderCustomerGroup,
});
