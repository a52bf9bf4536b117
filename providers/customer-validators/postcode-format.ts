import { postcodeRows } from '../../domain/customers/postcode-rows.ts';
import type { CustomerValidator } from './customer-validator.ts';

/** Checks a postcode by the patterns that registers also get (spec 2.18, 4.1). */
export const postcodeFormat: CustomerValidator = {
  key: 'postcode_format',
  label: 'Postcode by country',
  field: 'postcode',
  validate: ({ postcode }, { countryId }) => postcodeRows(postcode, countryId),
};
