import { isCalendarDay } from '../calendar-day.ts';
import { findCountry } from '../platform/directory/countries.ts';
import { isEmailAddress, isPersonName } from '../platform/customers/customer-errors.ts';
import type { RegisterDraft } from './register-draft.ts';
import { errorRow, normalizeRow, type ValidationRow } from './validation-row.ts';

/** The longest text a column of an account holds. */
const longest = 255;

const labels = {
  email: 'E-mail',
  firstname: 'First name',
  lastname: 'Last name',
  company: 'Company',
  taxvat: 'VAT number',
  phone: 'Phone',
  street: 'Street',
  city: 'City',
  postcode: 'Postcode',
} as const;
type Labelled = keyof typeof labels;
const labelled: readonly Labelled[] = [
  ...(['email', 'firstname', 'lastname', 'company', 'taxvat'] as const),
  ...(['phone', 'street', 'city', 'postcode'] as const),
];

/** The fields every customer needs (spec 2.9): one row for each missing field. */
export const missingRows = (draft: RegisterDraft): ValidationRow[] =>
  (['email', 'firstname', 'lastname'] as const)
    .filter((field) => draft[field] === '')
    .map((field) => errorRow(field, `${field}_required`, `${labels[field]} is required.`));

/** What no account can hold, in any shop: one row for each fault, so that the save itself never refuses it. */
export function formRows(draft: RegisterDraft, today: string): ValidationRow[] {
  return [
    ...emailRows(draft),
    ...nameRows(draft),
    ...labelled
      .filter((field) => draft[field].length > longest)
      .map((field) => errorRow(field, `${field}_too_long`, `${labels[field]} has more than ${longest} characters.`)),
    ...countryRows(draft),
    ...birthRows(draft, today),
  ];
}

const emailRows = ({ email }: RegisterDraft) =>
  email === '' || isEmailAddress(email) ? [] : [errorRow('email', 'email_invalid', 'This is not an e-mail address.')];

const nameRows = (draft: RegisterDraft) =>
  (['firstname', 'lastname'] as const)
    .filter((field) => draft[field] !== '' && draft[field].length <= longest && !isPersonName(draft[field]))
    .map((field) => errorRow(field, `${field}_invalid`, `${labels[field]} has characters that no name has.`));

function countryRows({ countryCode }: RegisterDraft): ValidationRow[] {
  if (countryCode === '') return [];
  const inCapitals = countryCode.toUpperCase();
  if (!findCountry(inCapitals)) return [errorRow('countryCode', 'country_unknown', 'There is no such country.')];
  return inCapitals === countryCode ? [] : [normalizeRow('countryCode', inCapitals)];
}

function birthRows({ dob }: RegisterDraft, today: string): ValidationRow[] {
  if (dob === '') return [];
  if (!isCalendarDay(dob)) return [errorRow('dob', 'dob_invalid', 'The date of birth is a day such as 1990-02-28.')];
  return dob > today ? [errorRow('dob', 'dob_to_come', 'The date of birth is still to come.')] : [];
}
