import { formRows, missingRows } from '../../domain/customers/draft-fields.ts';
import { errorRow } from '../../domain/customers/validation-row.ts';
import type { CustomerValidator } from './customer-validator.ts';

/** The validators that always run, whatever is selected: without them an account could not be saved (spec 4.5). */

const requiredFields: CustomerValidator = {
  key: 'required_fields',
  label: 'Required fields',
  field: 'email',
  validate: (draft, { websiteId }) => [
    ...missingRows(draft),
    ...(websiteId === undefined ? [errorRow('websiteId', 'website_unknown', 'There is no such website.')] : []),
  ],
};

const fieldForms: CustomerValidator = {
  key: 'field_forms',
  label: 'What an account can hold',
  field: 'email',
  validate: (draft, { today }) => formRows(draft, today),
};

/** An early warning for the cashier; the database decides when the account is created. */
const emailUniqueness: CustomerValidator = {
  key: 'email_uniqueness',
  label: 'One account per e-mail and website',
  field: 'email',
  validate: (_draft, { isEmailTaken }) => (isEmailTaken ? [emailTakenRow] : []),
};

/** Also the answer to the second of two creates (spec 4.5): never an HTTP error. */
export const emailTakenRow = errorRow('email', 'email_taken', 'A customer with this e-mail address exists already.');

export const builtInValidators: readonly CustomerValidator[] = [requiredFields, fieldForms, emailUniqueness];
