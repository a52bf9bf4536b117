import type { Outcome } from '../../http/route.ts';

/** Texts that routes of taxes share. */

export const taxAcl = 'Platform_Tax::manage_tax';

export const missingTaxField: Outcome = {
  status: 400,
  message: '"%fieldName" is required. Enter and try again.',
  when: 'A field is missing or empty. Several faults come together, in `errors`.',
};

export const wrongTaxField: Outcome = {
  status: 400,
  message: 'Invalid value of "%value" provided for the %fieldName field.',
  when: 'The value does not exist, or is out of bounds.',
};

export const takenCode: Outcome = {
  status: 400,
  message: '%1 already exists.',
  when: 'Another one has the code, in any case of letters.',
};
