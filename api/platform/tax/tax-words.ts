import type { z } from 'zod';
import type { Outcome } from '../../http/route.ts';
import type { taxRateAnswer } from './render-tax-rate.ts';
import type { taxRuleAnswer } from './render-tax-rule.ts';

/** Texts that routes of taxes share. */

export const taxDoor = { acl: 'Platform_Tax::manage_tax' } as const;

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

export const exampleRate: z.input<typeof taxRateAnswer> = {
  ...{ id: 1, tax_country_id: 'US', tax_region_id: 43, region_name: 'NY', tax_postcode: '*', rate: 8 },
  ...{ code: 'US-NY', titles: [] },
};

export const exampleTaxRule: z.input<typeof taxRuleAnswer> = {
  ...{ id: 2, code: 'Class 2', priority: 0, position: 0, customer_tax_class_ids: [3] },
  ...{ product_tax_class_ids: [2], tax_rate_ids: [1], calculate_subtotal: false },
};
