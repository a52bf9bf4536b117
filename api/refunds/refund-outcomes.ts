import type { Outcome } from '../http/route.ts';

/** Refusals that several routes of this folder share. */

export const unknownAttempt: Outcome = {
  status: 404,
  message: 'Refund attempt with id %1 does not exist',
  when: 'No attempt has this id.',
};
