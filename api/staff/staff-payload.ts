import { z } from 'zod';
import { passcodeFault } from '../../domain/staff/passcode.ts';
import { couldNotSaveStaff } from '../../db/staff/create-staff.ts';
import type { PasswordHasher } from '../../providers/password-hasher.ts';
import { flag, integer, payload, text } from '../wire/schemas.ts';

/** Long enough to say of any passcode why it is refused, short enough to be no burden. */
const passcode = text(1_024);

/**
 * What an administrator writes of a member of staff (spec 2.5). What the server assigns is taken and left aside, so
 * that an answer can be sent back as it came; the passcode is never answered.
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
 * The hash of a passcode, made off the main thread and before any transaction.
 *
 * Refused with: 400 empty, or longer than the 72 bytes that would count · 503 too many waiting.
 */
export async function hashPasscode(passwords: PasswordHasher, given: string): Promise<string> {
  const fault = passcodeFault(given);
  if (fault) throw couldNotSaveStaff(fault);
  return passwords.hash(given);
}
