import { z } from 'zod';
import { findRole } from '../../db/staff/staff.repository.ts';
import { updateRole as update } from '../../db/staff/update-role.ts';
import { authorOf } from '../http/register/author-of.ts';
import { renderRole, roleAnswer } from '../wire/register/render-staff.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { rolePayload } from './role-payload.ts';
import { unknownRole, roleNotSaved } from './staff-outcomes.ts';

/**
 * Changes what is sent of a role and keeps the rest (spec 2.6, 4.3); it applies at the next validation of a session.
 */
export const updateRole = route({
  method: 'PUT',
  path: '/V1/pos/roles/:roleId',
  acl: 'Vendor_Pos::staff_roles_manage',
  summary: 'Change a role',
  name: 'updateRole',
  description: `What you leave out stays. It applies with the next validation of a session. The same change twice
    leaves the same role.`,
  outcomes: [unknownRole, roleNotSaved],
  params: z.object({ roleId: idParam }),
  body: z.object({ role: rolePayload }),
  response: roleAnswer,

  async handle({ em, params: { roleId }, body: { role }, caller }) {
    const wish = { name: role.name, permissions: role.permissions, isActive: role.is_active };
    await update(em, { roleId, wish, by: authorOf(caller) });
    return renderRole(await findRole(em, roleId));
  },
});
