import { z } from 'zod';
import { deleteRole as remove } from '../../db/staff/delete-role.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownRole } from './staff-outcomes.ts';

/** Deletes a role without staff (spec 4.3). */
export const deleteRole = route({
  method: 'DELETE',
  path: '/V1/pos/roles/:roleId',
  acl: 'Vendor_Pos::staff_roles_manage',
  summary: 'Delete a role',
  name: 'deleteRole',
  description: 'Only a role without staff. A repeat is a 404.',
  outcomes: [
    unknownRole,
    {
      status: 400,
      message: 'Could not delete the role: %1',
      when: 'Somebody has the role.',
      then: 'Give these people another role first.',
    },
  ],
  params: z.object({ roleId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { roleId }, caller }) {
    await remove(em, { roleId, by: authorOf(caller) });
    return true as const;
  },
});
