import { couldNotSaveStaff } from '../db/staff/staff.ts';
import { givePasscode } from '../db/staff/unlock-staff.ts';
import { passcodeFault } from '../domain/staff/passcode.ts';
import { newPasscode } from '../providers/password-hasher.ts';
import { fine, type Answer } from './support/answer.ts';
import { hashPasscodes } from './support/hash-passcodes.ts';
import { operator } from './support/operator.ts';
import { readPassword } from './support/read-password.ts';
import { staffNamed } from './support/staff-named.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `staff reset-passcode EMAIL-OR-ID`: a new passcode, shown once; with `--ask-passcode` it is typed, or is the first line of the
 * standard input. Whoever was locked out may sign in again at once. Registers that know the old one ask online once more.
 *
 * Refused with 404 for nobody, 400 for a passcode that cannot be kept.
 */
export async function resetPasscode(
  { em: connect }: CommandContext,
  given: string,
  { askPasscode = false }: { askPasscode?: boolean },
  ask = readPassword,
): Promise<Answer> {
  const em = await connect();
  const { staffId, email } = await staffNamed(em, given);
  const passcode = askPasscode ? await ask() : newPasscode();
  const fault = passcodeFault(passcode);
  if (fault) throw couldNotSaveStaff(fault);
  const [passcodeHash] = await hashPasscodes([passcode]);
  await givePasscode(em, { staffId, passcodeHash, by: operator() });
  return askPasscode
    ? fine(`${email} has the passcode that you gave.`, { staff_id: staffId, email })
    : fine(`${email} has the passcode ${passcode}; it is not shown again.`, { staff_id: staffId, email, passcode });
}
