import { z } from 'zod';
import { createRole as create } from '../../db/staff/create-role.ts';
import { findRole } from '../../db/staff/staff.repository.ts';
import { authorOf } from '../http/register/author-of.ts';
import { renderRole, roleAnswer } from '../wire/register/render-staff.ts';
import { route } from '../http/route.ts';
import { rolePayload } from './role-payload.ts';
import { roleNotSaved } from './staff-outcomes.ts';

/** Adds a role (spec 2.6, 4.3); without permissions it allows nothing. */
export const createRole = route({
  method: 'POST',
  path: '/V1/pos/roles',
  acl: 'Vendor_Pos::staff_roles_manage',
  summary: 'Add a role',
  name: 'createRole',
  description: 'Without permissions the role allows nothing. Each call adds one more role.',
  outcomes: [roleNotSaved],
  body: z.object({ role: rolePayload }),
  response: roleAnswer,

  async handle({ em, body: { role }, caller }) {
    const wish = { name: role.name ?? '', permissions: role.permissions ?? '{}', isActive: role.is_active ?? true };
    return renderRole(await findRole(em, await create(em, wish, authorOf(caller))));
  },
});
