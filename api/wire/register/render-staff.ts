import { z } from 'zod';
import type { RoleRow, StaffRow } from '../../../db/staff/staff.repository.ts';
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
  staff_id: row.staff_id,
  staff_code: row.staff_code,
  first_name: row.first_name,
  last_name: row.last_name,
  email: row.email,
  passcode_updated_at: renderMoment(row.passcode_updated_at),
  role_id: row.role_id,
  all_locations: row.all_locations,
  is_active: row.is_active,
  created_at: renderMoment(row.created_at),
  updated_at: renderMoment(row.updated_at),
});

export const renderRole = (row: RoleRow): z.input<typeof roleAnswer> => ({
  role_id: row.role_id,
  name: row.name,
  permissions: row.permissions,
  is_active: row.is_active,
  created_at: renderMoment(row.created_at),
  updated_at: renderMoment(row.updated_at),
});
