import { randomInt } from 'node:crypto';
import {
  ForeignKeyConstraintViolationException,
  UniqueConstraintViolationException,
  type EntityManager,
} from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { emailKey } from '../../domain/staff/email-key.ts';
import { staffCodeAlphabet, staffCodeLength } from '../../domain/staff/staff-code.ts';
import { staffFault } from '../../domain/staff/staff-fault.ts';
import { recordDifference, type Author } from '../audit/record-difference.ts';
import { transact } from '../support/transact.ts';
import { Staff, StaffLocation } from './staff.entity.ts';
import { shopNow } from '../support/shop-clock.ts';

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
  wish: NewStaff,
  by?: Author,
): Promise<{ staffId: number; staffCode: string }> {
  const fault = staffFault(wish);
  if (fault) throw couldNotSaveStaff(fault);
  for (let attempt = 1; ; attempt++) {
    const staffCode = newStaffCode();
    try {
      return await insert(em, { ...wish, staffCode }, by);
    } catch (error) {
      const why = staffConflict(error);
      if (why) throw couldNotSaveStaff(why);
      if (!(error instanceof UniqueConstraintViolationException) || attempt === codeAttempts) throw error;
    }
  }
}

const insert = (
  em: EntityManager,
  { locationIds = [], firstName, lastName, ...wish }: NewStaff & { staffCode: string },
  by: Author | undefined,
) =>
  transact(em, async (tx) => {
    const staff = tx.create(Staff, {
      ...wish,
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      email: wish.email.trim(),
      emailKey: emailKey(wish.email),
      passcodeUpdatedAt: shopNow(),
    });
    await tx.flush();
    for (const locationId of locationIds) tx.create(StaffLocation, { staffId: staff.staffId, locationId });
    await tx.flush();
    await recordDifference(tx, { subject: { kind: 'staff', id: staff.staffId }, before: {}, by });
    return { staffId: staff.staffId, staffCode: staff.staffCode };
  });

const newStaffCode = () =>
  Array.from({ length: staffCodeLength }, () => staffCodeAlphabet[randomInt(staffCodeAlphabet.length)]).join('');

/** The violated database rule of a save, in words; undefined for any other error. */
export function staffConflict(error: unknown): string | undefined {
  if (error instanceof ForeignKeyConstraintViolationException)
    return error.message.includes('pos_staff_role_id_foreign')
      ? 'the role does not exist'
      : 'the location does not exist';
  const isTaken =
    error instanceof UniqueConstraintViolationException && error.message.includes('pos_staff_email_key_unique');
  return isTaken ? 'somebody has this e-mail' : undefined;
}

export const couldNotSaveStaff = (why: string) => invalid('Could not save the staff member: %1', [why]);
