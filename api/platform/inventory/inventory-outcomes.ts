import type { Outcome } from '../../http/route.ts';

/** Refusals that several routes of this folder share. */

export const emptyInput: Outcome = { status: 400, message: 'Input data is empty', when: 'The list has no row.' };

export const unknownStock: Outcome = {
  status: 404,
  message: 'Stock with id "%value" does not exist.',
  when: 'No stock has this id.',
};
