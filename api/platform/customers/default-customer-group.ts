import { z } from 'zod';
import { readDefaultGroup, setDefaultGroup } from '../../../db/platform/customers/default-customer-group.ts';
import type { Outcome } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { customerGroupDoor, unknownGroup } from './customer-group-words.ts';
import { customerGroupAnswer, renderCustomerGroup } from './render-customer-group.ts';

const general = { id: 1, code: 'General', tax_class_id: 3, tax_class_name: 'Retail Customer' };

const missingGroup: Outcome = {
  status: 404,
  message: 'No such entity with %fieldName = %fieldValue, %field2Name = %field2Value',
  when: 'The setting of the store view names a group that does not exist.',
  then: 'Set another, `PUT /V1/customerGroups/default/:id`.',
};

/** The group of new accounts in the store view of the path (platform facts 8). Refused with 404: it does not exist. */
export const getDefaultGroup = route({
  ...customerGroupDoor,
  method: 'GET',
  path: '/V1/customerGroups/default',
  name: 'getDefaultCustomerGroup',
  summary: 'The customer group of new accounts',
  description: 'Of the store view in the path. Without a setting it is group 1, "General".',
  outcomes: [missingGroup],
  examples: [{ title: 'The usual one', response: general }],
  response: customerGroupAnswer,

  handle: async ({ em, store: { storeId } }) => renderCustomerGroup(await readDefaultGroup(em, storeId)),
});

/** The group of new accounts in a store view (platform facts 8). Refused with 404: an unknown view, or group. */
export const getDefaultGroupOfStore = route({
  ...customerGroupDoor,
  method: 'GET',
  path: '/V1/customerGroups/default/:storeId',
  name: 'getDefaultCustomerGroupOfStore',
  summary: 'The customer group of new accounts in a store view',
  description: 'Store view 0 is the default scope. Without a setting it is group 1, "General".',
  outcomes: [unknownEntity('There is no store view of this id.'), missingGroup],
  examples: [{ title: 'The usual one', params: { storeId: 1 }, response: general }],
  params: z.object({ storeId: idParam }),
  response: customerGroupAnswer,

  handle: async ({ em, params: { storeId } }) => renderCustomerGroup(await readDefaultGroup(em, storeId)),
});

/** Makes a group that of new accounts (platform facts 8). A repeat changes nothing. Refused with: 404 `id` unknown · 400 guests. */
export const setDefaultGroupRoute = route({
  ...customerGroupDoor,
  method: 'PUT',
  path: '/V1/customerGroups/default/:id',
  name: 'setDefaultCustomerGroup',
  summary: 'Set the customer group of new accounts',
  description: `In the default scope: a website or a store view with a setting of its own keeps it. Existing accounts
keep their group. The answer is the id.`,
  outcomes: [
    unknownGroup,
    {
      status: 400,
      message: 'Invalid value of "%value" provided for the %fieldName field.',
      when: 'It is group 0, that of guests: an account is no guest.',
    },
  ],
  examples: [{ title: 'Everybody new is in the club', params: { id: 4 }, response: 4 }],
  params: z.object({ id: idParam }),
  response: z.int(),

  async handle({ em, params: { id } }) {
    await setDefaultGroup(em, id);
    return id;
  },
});
