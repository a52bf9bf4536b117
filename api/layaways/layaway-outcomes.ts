import type { Outcome } from '../http/route.ts';

/** Refusals that several routes of this folder share. */

export const soldInOnePayment: Outcome = {
  status: 400,
  message: 'The order is not a layaway.',
  when: 'The order was sold in one payment.',
};
