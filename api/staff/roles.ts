import { roles } from '../../db/staff/roles.ts';
import { roleNotDeleted, roleNotFound, roleNotSaved } from '../../domain/refusals/register.ts';
import { resource } from '../http/resource.ts';
import type { AnyRoute } from '../http/route.ts';
import { roleFields } from '../wire/register/render-staff.ts';

const role = resource({
  records: roles,
  acl: 'Vendor_Pos::staff_roles',
  changesNeed: 'Vendor_Pos::staff_roles_manage',
  unknown: roleNotFound,
  body: 'role',
  ...roleFields,
});

/** The shop's roles (spec 2.6, 4.3). A change applies at the next validation of a session. */
export const roleRoutes: readonly AnyRoute[] = [
  role.list({
    path: '/V1/pos/roles',
    name: 'listRoles',
    summary: 'List roles',
    description: 'Without criteria every role.',
    isWholeByDefault: true,
  }),

  role.get({
    path: '/V1/pos/roles/:roleId',
    name: 'getRole',
    summary: 'One role',
    description: `\`permissions\` is a JSON text of keys and booleans. A key that is missing is denied. Permissions
      are the register’s to enforce; routes are opened by tokens.`,
  }),

  role.create({
    path: '/V1/pos/roles',
    name: 'createRole',
    summary: 'Add a role',
    description: 'Without permissions the role allows nothing. Each call adds one more role.',
    outcomes: [roleNotSaved],
  }),

  role.update({
    path: '/V1/pos/roles/:roleId',
    name: 'updateRole',
    summary: 'Change a role',
    description: `What you leave out stays. It applies with the next validation of a session. The same change twice
      leaves the same role.`,
    outcomes: [roleNotSaved],
  }),

  role.remove({
    path: '/V1/pos/roles/:roleId',
    name: 'deleteRole',
    summary: 'Delete a role',
    description: 'Only a role without staff. A repeat is a 404.',
    outcomes: [roleNotDeleted],
  }),
];
