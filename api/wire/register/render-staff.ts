import { z } from 'zod';
import type { Role } from '../../../db/staff/staff.entity.ts';
import type { StaffRow } from '../../../db/staff/read-staff.ts';
import { permissionsInside } from '../json-inside.ts';
import { renderMoment } from './render-terminal.ts';

/** A member of staff (spec 2.5): never the passcode, never its hash. */
export const staffAnswer = z
  .object({
    staff_id: z.int(),
    staff_code: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    passcode_updated_at: z.string(),
    role_id: z.int(),
    all_locations: z.boolean(),
    is_active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'StaffMember' });

/** A role (spec 2.6); `permissions` is a JSON text of boolean keys. */
export const roleAnswer = z
  .object({
    role_id: z.int(),
    name: z.string(),
    permissions: z.string().meta(permissionsInside),
    is_active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Role' });

export const renderStaff = (row: StaffRow): z.input<typeof staffAnswer> => ({
  staff_id: row.staffId,
  staff_code: row.staffCode,
  first_name: row.firstName,
  last_name: row.lastName,
  email: row.email,
  passcode_updated_at: renderMoment(row.passcodeUpdatedAt),
  role_id: row.roleId,
  all_locations: row.allLocations,
  is_active: row.isActive,
  created_at: renderMoment(row.createdAt),
  updated_at: renderMoment(row.updatedAt),
});

export const renderRole = (row: Role): z.input<typeof roleAnswer> => ({
  role_id: row.roleId,
  name: row.name,
  permissions: row.permissions,
  is_active: row.isActive,
  created_at: renderMoment(row.createdAt),
  updated_at: renderMoment(row.updatedAt),
});
