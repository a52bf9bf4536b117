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
  when: 'Nobody knows the group.',
};
