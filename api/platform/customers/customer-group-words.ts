import { z } from 'zod';
import type { Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import type { customerGroupAnswer } from './render-customer-group.ts';

/** Texts that routes of customer groups share. */

export const customerGroupDoor = { acl: 'Platform_Customer::group' } as const;

export const unknownGroup: Outcome = unknownEntity('There is no group of this id.');

export const exampleGroup: z.input<typeof customerGroupAnswer> = {
  ...{ id: 4, code: 'Club', tax_class_id: 3, tax_class_name: 'Retail Customer' },
};

export const refusedGroup: readonly Outcome[] = [
  {
    status: 400,
    message: '"%fieldName" is required. Enter and try again.',
    when: 'The code is missing or empty.',
  },
  {
    status: 400,
    message: 'Customer Group already exists.',
    when: 'Another group has the code, in any case of letters.',
  },
  {
    status: 400,
    message: 'Invalid value of "%value" provided for the %fieldName field.',
    when: 'No tax class of customers has the id `tax_class_id`, or no website one of `exclude_website_ids`.',
  },
];
