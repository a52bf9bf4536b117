import { isEmail } from './email-key.ts';

/** The permitted values of a staff member's own fields (spec 2.5). Absent fields have no fault. */
export interface StaffFields {
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | undefined;
}

/** @returns half a sentence that says what is wrong, or undefined. */
export function staffFault({ firstName, lastName, email }: StaffFields): string | undefined {
  if (firstName !== undefined && !firstName.trim()) return 'a first name is needed';
  if (lastName !== undefined && !lastName.trim()) return 'a last name is needed';
  if (email !== undefined && !isEmail(email.trim())) return 'the e-mail is not an address';
  return undefined;
}
