import { notFound } from '../../../domain/errors.ts';
import type { Outcome } from '../../http/route.ts';

/** Refusals that several routes of this folder share. */

export const emailTaken: Outcome = {
  status: 400,
  message: 'A customer with the same email address already exists in an associated website.',
  when: 'Another account of the website has the e-mail.',
};

export const faultyCustomer: Outcome = {
  status: 400,
  message: 'One or more input exceptions have occurred.',
  when: 'Names or the e-mail are missing or wrong; `errors` has each of them. One fault alone is the sentence itself.',
};

export const unknownGroupOfCustomer: Outcome = {
  status: 400,
  message: 'The specified customer group id does not exist.',
  when: 'No group has this id.',
};

export const weakPassword: Outcome = {
  status: 400,
  message: 'The password needs at least %1 characters. Create a new password and try again.',
  when: 'The password is weak; other sentences say what else it lacks.',
};

const noAccount = 'No such entity with %fieldName = %fieldValue, %field2Name = %field2Value';

export const unknownAccount: Outcome = {
  status: 404,
  message: noAccount,
  when: 'No account of the website has the e-mail.',
};

/** 404 of the platform for an e-mail without an account (platform facts 2.3). */
export const noSuchAccount = (email: string, websiteId: number) =>
  notFound(noAccount, { fieldName: 'email', fieldValue: email, field2Name: 'websiteId', field2Value: websiteId });
