import { isCalendarDay } from '../../calendar-day.ts';
import type { InputError } from '../../errors.ts';
import { findCountry, needsPostcode, needsRegion } from '../directory/countries.ts';
import { findRegion } from '../directory/regions.ts';
import type { AddressDraft, CustomerDraft } from './customer-draft.ts';

/** Letters, marks, digits, blanks and , - _ . ' ’ ` within 255 (platform facts 8). */
const nameCharacters = /^[\p{L}\p{M}\p{Nd}\s,\-_.'’`]{1,255}$/u;
const emailAddress =
  /^[^\s@,;:<>()[\]\\"\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;
const maxLength = 255;
/** 1 male, 2 female, 3 not specified; 0 when the customer was not asked. */
const genders: readonly number[] = [0, 1, 2, 3];

/** Whether the platform accepts it as a first or last name (platform facts 8). */
export const isPersonName = (text: string) => nameCharacters.test(text);

export const isEmailAddress = (text: string) => text.length <= maxLength && emailAddress.test(text);

/** Everything the platform finds wrong with a customer who is to be saved, in the order of its own checks. */
export function customerErrors(customer: CustomerDraft): InputError[] {
  return [
    ...missing({ email: customer.email, firstname: customer.firstname, lastname: customer.lastname }),
    ...badNames(customer),
    ...badEmail(customer.email),
    ...(customer.dob && !isCalendarDay(customer.dob) ? [wrong('dob', customer.dob)] : []),
    ...(typeof customer.gender === 'number' && !genders.includes(customer.gender)
      ? [wrong('gender', customer.gender)]
      : []),
  ];
}

/** What is wrong with one address; several missing fields are reported at once (platform facts 8). */
export function addressErrors(address: AddressDraft): InputError[] {
  return [
    ...missing({
      firstname: address.firstname,
      lastname: address.lastname,
      street: address.street?.[0],
      city: address.city,
      telephone: address.telephone,
      ...(address.countryId && !needsPostcode(address.countryId) ? {} : { postcode: address.postcode }),
      countryId: address.countryId,
    }),
    ...badNames(address),
    ...countryErrors(address),
  ];
}

function countryErrors({ countryId, regionId }: AddressDraft): InputError[] {
  if (!countryId) return [];
  const country = findCountry(countryId);
  if (!country) return [wrong('countryId', countryId)];
  if (regionId && country.regions.length > 0 && findRegion(regionId)?.countryId !== countryId)
    return [wrong('regionId', regionId)];
  return needsRegion(countryId) && !regionId ? [required('regionId')] : [];
}

/** What is wrong with the words for who buys, where they are said. */
export const buyerErrors = (buyer: Pick<CustomerDraft, 'email' | 'firstname' | 'lastname' | 'middlename'>) => [
  ...badNames(buyer),
  ...badEmail(buyer.email),
];

const badEmail = (email: string | undefined): InputError[] =>
  email && !isEmailAddress(email) ? [plain('"Email" is not a valid email address.')] : [];

function badNames(names: Pick<CustomerDraft, 'firstname' | 'lastname' | 'middlename'>): InputError[] {
  const labels = { firstname: 'First Name', lastname: 'Last Name', middlename: 'Middle Name' } as const;
  return (['firstname', 'lastname', 'middlename'] as const).flatMap((field) => {
    const name = names[field];
    return name && !isPersonName(name) ? [plain(`${labels[field]} is not valid!`)] : [];
  });
}

const missing = (fields: Record<string, string | null | undefined>) =>
  Object.entries(fields).flatMap(([field, value]) => (value?.trim() ? [] : [required(field)]));

const plain = (message: string): InputError => ({ message, parameters: [] });
const required = (fieldName: string): InputError => ({
  message: '"%fieldName" is required. Enter and try again.',
  parameters: { fieldName },
});
const wrong = (fieldName: string, value: unknown): InputError => ({
  message: 'Invalid value of "%value" provided for the %fieldName field.',
  parameters: { fieldName, value },
});
