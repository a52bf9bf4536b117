import type { Outcome } from '../http/route.ts';

/** Refusals that several routes of this folder share. */

export const unknownStaff: Outcome = {
  status: 404,
  message: 'Staff member with id %1 does not exist',
  when: 'Nobody has this id.',
};

export const tooManyPasscodes: Outcome = {
  status: 503,
  message: 'Too many sign-ins at once. Please try again later.',
  when: 'More passcodes wait to be checked than the server takes at once.',
  then: 'Wait for `Retry-After` seconds, then send it again. It counts as no guess.',
};

export const staffNotSaved: Outcome = {
  status: 400,
  message: 'Could not save the staff member: %1',
  when: 'A name, the e-mail, the passcode or the role is missing or wrong, or the e-mail is taken. The parameter says which.',
  then: 'Correct what the parameter names.',
};

export const unknownRole: Outcome = {
  status: 404,
  message: 'Role with id %1 does not exist',
  when: 'No role has this id.',
};

export const roleNotSaved: Outcome = {
  status: 400,
  message: 'Could not save the role: %1',
  when: 'The name is missing, or the permissions are no JSON text of known keys. The parameter says which.',
  then: 'Correct what the parameter names.',
};
