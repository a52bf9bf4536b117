import type { RoleRow } from '../../db/staff/staff.repository.ts';
import { search, type Searchable } from '../../db/support/search.ts';
import { listRoute } from '../http/list-route.ts';
import { renderRole, roleAnswer } from '../wire/register/render-staff.ts';
import { unknownField } from '../wire/search-criteria.ts';

const roles: Searchable = {
  table: 'pos_role',
  columns: '*',
  fields: {
    role_id: { column: 'role_id', type: 'integer' },
    name: { column: 'name', type: 'text' },
    permissions: { column: 'permissions', type: 'text' },
    is_active: { column: 'is_active', type: 'boolean' },
    created_at: { column: 'created_at', type: 'timestamp' },
    updated_at: { column: 'updated_at', type: 'timestamp' },
  },
  order: 'role_id',
};

/** The shop's roles (spec 4.3). Without criteria all of them. */
export const listRoles = listRoute({
  path: '/V1/pos/roles',
  acl: 'Vendor_Pos::staff_roles',
  summary: 'List roles',
  name: 'listRoles',
  description: 'Without criteria every role.',
  outcomes: [unknownField],
  answer: roleAnswer,
  isWholeByDefault: true,
  find: (em, criteria) => search<RoleRow>(em, criteria, roles),
  render: renderRole,
});
