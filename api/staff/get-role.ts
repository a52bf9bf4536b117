import { z } from 'zod';
import { findRole } from '../../db/staff/staff.repository.ts';
import { renderRole, roleAnswer } from '../wire/register/render-staff.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';

/** One role (spec 4.3). Refused with: 404 unknown id. */
export const getRole = route({
  method: 'GET',
  path: '/V1/pos/roles/:roleId',
  acl: 'Vendor_Pos::staff_roles',
  summary: 'One role',
  params: z.object({ roleId: idParam }),
  response: roleAnswer,

  handle: async ({ em, params }) => renderRole(await findRole(em, params.roleId)),
});
