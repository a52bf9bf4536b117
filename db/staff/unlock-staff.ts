import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit, type Change } from '../audit/record-audit.ts';
import { integer, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import type { Author } from '../audit/record-difference.ts';
import { clearLoginFailures } from './login-attempts.ts';
import { Staff } from './staff.entity.ts';
import { updateStaff } from './staff.ts';

/**
 * A manager's unlock: the member may sign in again at once (spec 3.5, 4.3). Safe to repeat. Writes an audit entry.
 *
 * @returns false for an unknown id
 */
export async function unlockStaff(
  em: EntityManager,
  { staffId, by }: { staffId: number; by: Pick<Change, 'changeSource' | 'staffName'> },
): Promise<boolean> {
  return transact(em, async (tx) => {
    const member = await find.first(tx, { staffId });
    if (!member) return false;
    await clearLoginFailures(tx, member.emailKey);
    await recordAudit(tx, {
      entityType: 'staff',
      entityId: staffId,
      entityName: member.name,
      fieldName: 'lockout',
      newValue: 'unlocked',
      ...by,
    });
    return true;
  });
}

/** Gives a member a new passcode, hashed by the caller; whoever was locked out may sign in again at once. */
export async function givePasscode(
  em: EntityManager,
  { staffId, passcodeHash, by }: { staffId: number; passcodeHash: string | undefined; by: Author },
): Promise<void> {
  await updateStaff(em.fork(), { staffId, wish: { passcodeHash }, by });
  await unlockStaff(em.fork(), { staffId, by });
}

const find = statement({
  takes: { staffId: integer },
  gives: { ...of(Staff, 'emailKey'), name: surely(text) },
  text: `select email_key, concat_ws(' ', first_name, last_name) as name from pos_staff where staff_id = $staffId`,
});
