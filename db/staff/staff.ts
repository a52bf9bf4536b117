import { randomInt } from 'node:crypto';
import {
  type EntityManager,
  ForeignKeyConstraintViolationException,
  LockMode,
  UniqueConstraintViolationException,
} from '@mikro-orm/postgresql';
import { staffMemberNotSaved } from '../../domain/refusals/register.ts';
import { emailKey, nextWatermark, staffCodeAlphabet, staffCodeLength, staffFault } from '../../domain/staff.ts';
import { type Author, factsOf, recordDifference, type Subject } from '../audit/record-difference.ts';
import { recordCredentialGift } from './second-person.ts';
import { definedFields } from '../support/defined-fields.ts';
import { shopNow } from '../support/shop-clock.ts';
import { transact } from '../support/transact.ts';
import { Staff, StaffLocation } from './staff.entity.ts';
import { endSessionsElsewhere, endStaffSessions, forgetOpsAccess } from './end-sessions.ts';
import { noSuchStaff } from './read-staff.ts';

/** Of 33 million codes: so many collisions in a row do not happen. */
const codeAttempts = 5;

export interface NewStaff {
  firstName: string;
  lastName: string;
  email: string;
  /** Hashed by the caller, never within a transaction, because it takes long. */
  passcodeHash: string;
  roleId: number;
  allLocations?: boolean;
  isActive?: boolean;
  locationIds?: readonly number[];
}

/**
 * Adds a member of staff with a new staff code and their locations, with audit entries where an author is given (spec
 * 2.5). Each call adds a member.
 *
 * Refused with: 400 `Could not save the staff member: %1`: no name, a missing, invalid or taken e-mail address, an
 * unknown role.
 *
 * @returns the id and the code
 */
export async function createStaff(
  em: EntityManager,
  input: NewStaff,
  by?: Author,
): Promise<{ staffId: number; staffCode: string }> {
  const fault = staffFault(input);
  if (fault) throw couldNotSaveStaff(fault);
  for (let attempt = 1; ; attempt++) {
    const staffCode = newStaffCode();
    try {
      return await insertMember(em, { ...input, staffCode }, by);
    } catch (error) {
      const why = staffConflict(error);
      if (why) throw couldNotSaveStaff(why);
      if (!(error instanceof UniqueConstraintViolationException) || attempt === codeAttempts) throw error;
    }
  }
}

const insertMember = (
  em: EntityManager,
  { locationIds = [], firstName, lastName, ...request }: NewStaff & { staffCode: string },
  by: Author | undefined,
) =>
  transact(em, async (tx) => {
    const staff = tx.create(Staff, {
      ...request,
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      email: request.email.trim(),
      emailKey: emailKey(request.email),
      passcodeUpdatedAt: shopNow(),
    });
    await tx.flush();
    for (const locationId of locationIds) tx.create(StaffLocation, { staff, location: locationId });
    await tx.flush();
    const gift = { userKind: 'staff', userId: staff.staffId, what: 'passcode', by: by?.account } as const;
    await recordCredentialGift(tx, gift);
    await recordDifference(tx, { subject: { kind: 'staff', id: staff.staffId }, before: {}, by });
    return { staffId: staff.staffId, staffCode: staff.staffCode };
  });

const newStaffCode = () =>
  Array.from({ length: staffCodeLength }, () => staffCodeAlphabet[randomInt(staffCodeAlphabet.length)]).join('');

/** The violated database rule of a save, in words; undefined for any other error. */
function staffConflict(error: unknown): string | undefined {
  if (error instanceof ForeignKeyConstraintViolationException)
    return error.message.includes('pos_staff_role_id_foreign')
      ? 'the role does not exist'
      : 'the location does not exist';
  const isTaken =
    error instanceof UniqueConstraintViolationException && error.message.includes('pos_staff_email_key_unique');
  return isTaken ? 'somebody has this e-mail' : undefined;
}

export const couldNotSaveStaff = (why: string) => staffMemberNotSaved([why]);

/**
 * The fields of a member of staff that an administrator sends; an absent field keeps its value. The staff code never
 * changes.
 */
interface StaffInput {
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
  wish: StaffInput;
  by?: Author;
}

/**
 * Changes a member of staff, with audit entries (spec 2.5, 4.3). Every passcode, even the same one, makes registers
 * ask online once more and ends all sessions of the member; otherwise a repeat changes nothing. A deactivated member
 * loses all sessions for good: a later activation brings none back.
 *
 * Refused with: 404 unknown id · 400 `Could not save the staff member: %1`.
 */
export async function updateStaff(em: EntityManager, update: Update): Promise<void> {
  const fault = staffFault(update.wish);
  if (fault) throw couldNotSaveStaff(fault);
  try {
    await transact(em, (tx) => change(tx, update));
  } catch (error) {
    const why = staffConflict(error);
    throw why ? couldNotSaveStaff(why) : error;
  }
}

async function change(em: EntityManager, { staffId, wish, by }: Update): Promise<void> {
  const subject: Subject = { kind: 'staff', id: staffId };
  const member = await em.findOne(Staff, { staffId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!member) throw noSuchStaff(staffId);
  const before = await factsOf(em, subject);
  const { isActive: wasActive, allLocations: wasEverywhere } = member;
  const { email, firstName, lastName, ...rest } = wish;
  em.assign(member, definedFields({ ...rest, firstName: firstName?.trim(), lastName: lastName?.trim() }));
  if (email !== undefined) em.assign(member, { email: email.trim(), emailKey: emailKey(email) });
  if (wish.passcodeHash !== undefined)
    member.passcodeUpdatedAt = nextWatermark(member.passcodeUpdatedAt ?? undefined, shopNow());
  await em.flush();
  // A new role applies at the next validation and the next page. A deactivated member is answered as missing, and
  // comes back without a session.
  if (wish.passcodeHash !== undefined || (wish.isActive === true && !wasActive)) await endStaffSessions(em, staffId);
  if (wasEverywhere === true && member.allLocations === false) await endSessionsElsewhere(em, staffId);
  if (wish.passcodeHash !== undefined)
    await recordCredentialGift(em, { userKind: 'staff', userId: staffId, what: 'passcode', by: by?.account });
  await recordDifference(em, { subject, before, by });
}

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
    await tx.nativeDelete(StaffLocation, { staff: staffId });
    if ((await tx.nativeDelete(Staff, { staffId })) === 0) throw noSuchStaff(staffId);
    await forgetOpsAccess(tx, staffId);
    await recordDifference(tx, { subject, before, by });
  });
}
