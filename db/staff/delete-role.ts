import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { factsOf, recordDifference, type Author, type Subject } from '../audit/record-difference.ts';
import { isStillNeeded } from '../support/is-still-needed.ts';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { noSuchRole } from './staff.repository.ts';

/**
 * Deletes an unused role, with its audit entries (spec 4.3). A repeat finds nothing.
 *
 * The foreign key decides, so a role that a member gets at the same moment stays.
 *
 * Refused with: 404 unknown id · 400 `Could not delete the role: %1`, while a member has it.
 */
export async function deleteRole(em: EntityManager, { roleId, by }: { roleId: number; by?: Author }): Promise<void> {
  const subject: Subject = { kind: 'role', id: roleId };
  try {
    await transact(em, async (tx) => {
      const before = await factsOf(tx, subject);
      if ((await deleteOne.run(tx, { roleId })) === 0) throw noSuchRole(roleId);
      await recordDifference(tx, { subject, before, by });
    });
  } catch (error) {
    if (isStillNeeded(error)) throw invalid('Could not delete the role: %1', ['somebody has it']);
    throw error;
  }
}

const deleteOne = statement({ takes: { roleId: integer }, text: 'delete from pos_role where role_id = $roleId' });
