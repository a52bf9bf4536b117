import { z } from 'zod';
import { passcodeFault } from '../../domain/staff/passcode.ts';
import { couldNotSaveStaff } from '../../db/staff/create-staff.ts';
import type { PasswordHasher } from '../../providers/password-hasher.ts';
import { flag, integer, payload, text } from '../wire/schemas.ts';

/** Longer than any valid passcode, so that the refusal can give the reason, and short enough to be harmless. */
const passcode = text(1_024);

/**
 * The fields of a staff member that an administrator sends (spec 2.5). Fields that the server sets are accepted and
 * ignored, so that an answer can be sent back; the passcode is never answered.
 */
export const staffPayload = payload({
  first_name: text(255).optional(),
  last_name: text(255).optional(),
  email: text(255).optional(),
  passcode: passcode.optional(),
  role_id: integer.optional(),
  all_locations: flag.optional(),
  is_active: flag.optional(),
  staff_id: z.unknown().optional(),
  staff_code: z.unknown().optional(),
  passcode_updated_at: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
}).meta({ id: 'StaffMember' });

export const staffWish = (given: z.output<typeof staffPayload>) => ({
  firstName: given.first_name,
  lastName: given.last_name,
  email: given.email,
  roleId: given.role_id,
  allLocations: given.all_locations,
  isActive: given.is_active,
});

/**
 * The hash of a passcode, made outside the main thread and before any transaction.
 *
 * Refused with: 400 empty, or longer than the 72 bytes that count · 503 too many callers waiting.
 */
export async function hashPasscode(passwords: PasswordHasher, given: string): Promise<string> {
  const fault = passcodeFault(given);
  if (fault) throw couldNotSaveStaff(fault);
  return passwords.hash(given);
}
