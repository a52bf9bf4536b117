import type { Outcome } from '../../http/route.ts';

/** Texts that several routes of products use. */
export const unknownProduct: Outcome = {
  status: 404,
  message: "The product that was requested doesn't exist. Verify the product and try again.",
  when: 'There is no product of this sku.',
};
