import type { Outcome } from '../../http/route.ts';

/** Refusals that several routes of this folder share. */

export const incompleteProduct: Outcome = {
  status: 400,
  message: 'The "%1" attribute value is empty. Set the attribute and try again.',
  when: 'A new product without name or price.',
};

export const sameTaxTwice: Outcome = {
  status: 400,
  message:
    'Set unique country-state combinations within the same fixed product tax. Verify the combinations and try again.',
  when: 'A fixed product tax names a place of a website twice.',
};

export const wrongProductValue: Outcome = {
  status: 400,
  message: 'Invalid value of "%value" provided for the %fieldName field.',
  when: 'A negative price, a website or a tax class that does not exist.',
};
