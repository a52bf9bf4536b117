import { randomInt } from 'node:crypto';
import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { emailKey, isEmail } from '../../domain/staff/email-key.ts';
import { staffCodeAlphabet, staffCodeLength } from '../../domain/staff/staff-code.ts';
import { transact } from '../support/transact.ts';
import { Staff, StaffLocation } from './staff.entity.ts';

/** Of 33 million codes: enough for a taken one never to come up so often. */
const codeAttempts = 5;

export interface NewStaff {
  firstName: string;
  lastName: string;
  email: string;
  /** Hashed by the caller: hashing takes its time elsewhere, never in a transaction. */
  passcodeHash: string;
  roleId: number;
  allLocations?: boolean;
  isActive?: boolean;
  locationIds?: readonly number[];
}

/**
 * Adds a member of staff with a staff code of their own and their locations (spec 2.5). One more on each call.
 *
 * Refused with: 400 `Could not save the staff member: %1`, for no e-mail address or one that somebody has.
 *
 * @returns the id and the code
 */
export async function createStaff(em: EntityManager, wish: NewStaff): Promise<{ staffId: number; staffCode: string }> {
  if (!isEmail(wish.email.trim())) throw couldNotSave('the e-mail is no address');
  for (let attempt = 1; ; attempt++) {
    const staffCode = newStaffCode();
    try {
      return await insert(em, { ...wish, staffCode });
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      if (error.message.includes('email_key')) throw couldNotSave('somebody has this e-mail');
      if (attempt === codeAttempts) throw error;
    }
  }
}

const insert = (em: EntityManager, { locationIds = [], ...wish }: NewStaff & { staffCode: string }) =>
  transact(em, async (tx) => {
    const staff = tx.create(Staff, {
      ...wish,
      email: wish.email.trim(),
      emailKey: emailKey(wish.email),
      passcodeUpdatedAt: new Date(),
    });
    await tx.flush();
    for (const locationId of locationIds) tx.create(StaffLocation, { staffId: staff.staffId, locationId });
    await tx.flush();
    return { staffId: staff.staffId, staffCode: staff.staffCode };
  });

const newStaffCode = () =>
  Array.from({ length: staffCodeLength }, () => staffCodeAlphabet[randomInt(staffCodeAlphabet.length)]).join('');

const couldNotSave = (why: string) => invalid('Could not save the staff member: %1', [why]);
