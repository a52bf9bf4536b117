import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { emailKey } from '../../domain/staff/email-key.ts';
import { nextWatermark } from '../../domain/staff/passcode.ts';
import { staffFault } from '../../domain/staff/staff-fault.ts';
import { factsOf, recordDifference, type Author, type Subject } from '../audit/record-difference.ts';
import { given } from '../support/given.ts';
import { transact } from '../support/transact.ts';
import { couldNotSaveStaff, staffConflict } from './create-staff.ts';
import { noSuchStaff } from './staff.repository.ts';
import { Staff } from './staff.entity.ts';
import { shopNow } from '../support/shop-clock.ts';

/**
 * The fields of a member of staff that an administrator sends; an absent field keeps its value. The staff code never
 * changes.
 */
export interface StaffWish {
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | undefined;
  /** Hashed by the caller. */
  passcodeHash?: string | undefined;
  roleId?: number | undefined;
  allLocations?: boolean | undefined;
  isActive?: boolean | undefined;
}

interface Update {
  staffId: number;
  wish: StaffWish;
  by?: Author;
}

/**
 * Changes a member of staff, with audit entries (spec 2.5, 4.3). Every passcode, even the same one, makes registers
 * ask online once more; otherwise a repeat changes nothing. A deactivated member loses the session at its next
 * validation.
 *
 * Refused with: 404 unknown id · 400 `Could not save the staff member: %1`.
 */
export async function updateStaff(em: EntityManager, update: Update): Promise<void> {
  const fault = staffFault(update.wish);
  if (fault) throw couldNotSaveStaff(fault);
  try {
    await transact(em, (tx) => save(tx, update));
  } catch (error) {
    const why = staffConflict(error);
    throw why ? couldNotSaveStaff(why) : error;
  }
}

async function save(em: EntityManager, { staffId, wish, by }: Update): Promise<void> {
  const subject: Subject = { kind: 'staff', id: staffId };
  const member = await em.findOne(Staff, { staffId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!member) throw noSuchStaff(staffId);
  const before = await factsOf(em, subject);
  const { email, firstName, lastName, ...rest } = wish;
  em.assign(member, given({ ...rest, firstName: firstName?.trim(), lastName: lastName?.trim() }));
  if (email !== undefined) em.assign(member, { email: email.trim(), emailKey: emailKey(email) });
  if (wish.passcodeHash !== undefined)
    member.passcodeUpdatedAt = nextWatermark(member.passcodeUpdatedAt ?? undefined, shopNow());
  await em.flush();
  await recordDifference(em, { subject, before, by });
}
