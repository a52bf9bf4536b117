import { z } from 'zod';
import { readCustomerGroup } from '../../../db/platform/customers/search-customer-groups.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { customerGroupAnswer, renderCustomerGroup } from './render-customer-group.ts';

/** One customer group (platform facts 8). Refused with 404: an unknown group. */
export const getCustomerGroup = route({
  method: 'GET',
  path: '/V1/customerGroups/:id',
  acl: 'Platform_Customer::group',
  summary: 'One customer group',
  params: z.object({ id: idParam }),
  response: customerGroupAnswer,

  handle: async ({ em, params: { id } }) => renderCustomerGroup(await readCustomerGroup(em, id)),
});
