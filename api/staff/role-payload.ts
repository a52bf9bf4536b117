import { z } from 'zod';
import { permissionsInside } from '../wire/json-inside.ts';
import { maxPermissionsLength } from '../../domain/staff/role-fault.ts';
import { flag, payload, text } from '../wire/schemas.ts';

/**
 * The fields of a role that an administrator sends (spec 2.6). `permissions` is a JSON text, in which a true
 * `configure_hardware` also grants its successors. Fields that the server sets are ignored.
 */
export const rolePayload = payload({
  name: text(255).optional(),
  permissions: text(maxPermissionsLength).meta(permissionsInside).optional(),
  is_active: flag.optional(),
  role_id: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
}).meta({ id: 'Role' });
