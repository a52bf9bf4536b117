import { z } from 'zod';
import { readCustomerGroup } from '../../../db/platform/customers/search-customer-groups.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { customerGroupAnswer, renderCustomerGroup } from './render-customer-group.ts';

/** One customer group (platform facts 8). */
export const getCustomerGroup = route({
  method: 'GET',
  path: '/V1/customerGroups/:id',
  acl: 'Platform_Customer::group',
  summary: 'One customer group',
  name: 'getCustomerGroup',
  description: 'With the tax class of its customers.',
  outcomes: [unknownEntity('There is no group of this id.')],
  params: z.object({ id: idParam }),
  response: customerGroupAnswer,

  handle: async ({ em, params: { id } }) => renderCustomerGroup(await readCustomerGroup(em, id)),
});
