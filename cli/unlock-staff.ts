import { unlockStaff } from '../db/staff/unlock-staff.ts';
import { fine, type Answer } from './support/answer.ts';
import { operator } from './support/operator.ts';
import { staffNamed } from './support/staff-named.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `staff unlock EMAIL-OR-ID`: who guessed too often may sign in again at once. A repeat changes nothing.
 *
 * Refused with 404 for nobody.
 */
export async function unlockMember({ em: connect }: CommandContext, given: string): Promise<Answer> {
  const em = await connect();
  const { staffId, email } = await staffNamed(em, given);
  await unlockStaff(em.fork(), { staffId, by: operator() });
  return fine(`${email} may sign in again.`, { staff_id: staffId, email });
}
