import { z } from 'zod';
import { findRole } from '../../db/staff/staff.repository.ts';
import { renderRole, roleAnswer } from '../wire/register/render-staff.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownRole } from './staff-outcomes.ts';

/** One role (spec 4.3). */
export const getRole = route({
  method: 'GET',
  path: '/V1/pos/roles/:roleId',
  acl: 'Vendor_Pos::staff_roles',
  summary: 'One role',
  name: 'getRole',
  description: `\`permissions\` is a JSON text of keys and booleans. A key that is missing is denied. Permissions
    are the register’s to enforce; routes are opened by tokens.`,
  outcomes: [unknownRole],
  params: z.object({ roleId: idParam }),
  response: roleAnswer,

  handle: async ({ em, params }) => renderRole(await findRole(em, params.roleId)),
});
