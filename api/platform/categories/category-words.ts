import type { Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';

/** What all routes of categories have in common. */
export const categoryDoor = { acl: 'Platform_Catalog::categories' } as const;

export const unknownCategory: Outcome = unknownEntity('There is no category of this id.');

export const unknownProduct: Outcome = {
  status: 404,
  message: "The product that was requested doesn't exist. Verify the product and try again.",
  when: 'There is no product of this sku.',
};

export const unsavableCategory: Outcome = {
  status: 400,
  message: 'Could not save category: %1',
  when: 'It has no name, or a sibling has its URL key.',
};
