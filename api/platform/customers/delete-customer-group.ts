import { z } from 'zod';
import {
  deleteCustomerGroup,
  isGroupReadOnly,
  notDeletable,
} from '../../../db/platform/customers/delete-customer-group.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { customerGroupDoor, unknownGroup } from './customer-group-words.ts';

/**
 * Deletes a customer group; its customers get the default group (platform facts 8). A repeat is a 404.
 *
 * Refused with: 404 `id` unknown group, or a default group that does not exist · 400 the group of guests, or one that
 * new accounts get.
 */
export const deleteGroup = route({
  ...customerGroupDoor,
  method: 'DELETE',
  path: '/V1/customerGroups/:id',
  name: 'deleteCustomerGroup',
  summary: 'Delete a customer group',
  description: `Its customers get the default group of their store view. Its tier prices are deleted. Promotions no longer
name it; one that was for this group alone is switched off. Orders keep the id.`,
  outcomes: [
    unknownGroup,
    { status: 400, message: notDeletable, when: 'It is the group of guests, or new accounts get it.' },
    {
      status: 404,
      message: 'No such entity with %fieldName = %fieldValue, %field2Name = %field2Value',
      when: 'A customer of it is in a store view whose default group does not exist.',
      then: 'Set the default group, `PUT /V1/customerGroups/default/:id`.',
    },
  ],
  examples: [{ title: 'Deleted', params: { id: 4 }, response: true }],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id }, workflows, log }) {
    await deleteCustomerGroup(em, id);
    await followPrices({ em, workflows, log });
    return true as const;
  },
});

/** Whether a group cannot be deleted (platform facts 8). Refused with 404 `groupId`: an unknown group. */
export const isGroupReadOnlyRoute = route({
  ...customerGroupDoor,
  method: 'GET',
  path: '/V1/customerGroups/:id/permissions',
  name: 'isCustomerGroupReadOnly',
  summary: 'Whether a customer group cannot be deleted',
  description: 'True for the group of guests, and for each group that new accounts of a store view get.',
  outcomes: [unknownGroup],
  examples: [{ title: 'It can be deleted', params: { id: 4 }, response: false }],
  params: z.object({ id: idParam }),
  response: z.boolean(),

  handle: ({ em, params: { id } }) => isGroupReadOnly(em, id),
});
