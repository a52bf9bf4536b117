import { z } from 'zod';
import { deleteRole as remove } from '../../db/staff/delete-role.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';

/**
 * Deletes a role that nobody has (spec 4.3). A repeat is a 404.
 *
 * Refused with: 404 unknown id · 400 `Could not delete the role: %1`, while somebody has it.
 */
export const deleteRole = route({
  method: 'DELETE',
  path: '/V1/pos/roles/:roleId',
  acl: 'Vendor_Pos::staff_roles_manage',
  summary: 'Delete a role',
  params: z.object({ roleId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { roleId }, caller }) {
    await remove(em, { roleId, by: authorOf(caller) });
    return true as const;
  },
});
