import type { EntityManager } from '@mikro-orm/postgresql';
import { factsOf, recordDifference, type Author, type Subject } from '../audit/record-difference.ts';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { noSuchStaff } from './staff.repository.ts';

/**
 * Deletes a member of staff, with audit entries (spec 4.3). Sessions stay, and their next validation reports a
 * missing member; receipts keep the name. A repeat finds nothing.
 *
 * Refused with: 404 unknown id.
 */
export async function deleteStaff(em: EntityManager, { staffId, by }: { staffId: number; by?: Author }): Promise<void> {
  const subject: Subject = { kind: 'staff', id: staffId };
  await transact(em, async (tx) => {
    const before = await factsOf(tx, subject);
    // Before the member, so that the trigger can see whose assignments these were.
    await unassign.run(tx, { staffId });
    if ((await deleteOne.run(tx, { staffId })) === 0) throw noSuchStaff(staffId);
    await recordDifference(tx, { subject, before, by });
  });
}

const unassign = statement({
  takes: { staffId: integer },
  text: 'delete from pos_staff_location where staff_id = $staffId',
});

const deleteOne = statement({ takes: { staffId: integer }, text: 'delete from pos_staff where staff_id = $staffId' });
